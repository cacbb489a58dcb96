import type { Fault } from '../fault.ts';
import { invalid } from './faults.ts';

const TOKEN = /\s*(?:([#:][A-Za-z0-9_]+)|([A-Za-z_][A-Za-z0-9_]*)|(\d+)|(<>|<=|>=|[=<>()[\],.+-]))/y;

/** One token: a placeholder with its `#` or `:`, a word, a list index or a symbol. */
export interface Token {
  kind: 'placeholder' | 'word' | 'index' | 'symbol' | 'end';
  text: string;
  at: number;
}

/** Walks the tokens of one expression and remembers which placeholders it saw. */
export class Tokens {
  readonly placeholders = new Set<string>();
  readonly #label: string;
  readonly #source: string;
  readonly #tokens: Token[] = [];
  #at = 0;

  /** @param label the request member, for messages: `ConditionExpression` */
  constructor(label: string, source: string) {
    this.#label = label;
    this.#source = source;
    TOKEN.lastIndex = 0;
    const end = source.trimEnd().length;
    while (TOKEN.lastIndex < end) {
      const start = TOKEN.lastIndex;
      const match = TOKEN.exec(source);
      if (!match) {
        const rest = source.slice(start).trimStart();
        throw this.fault(`Syntax error; token: "${rest[0]}", near: "${rest.slice(0, 3)}"`);
      }
      const [, placeholder, word, index, symbol] = match;
      const kind = placeholder ? 'placeholder' : word ? 'word' : index ? 'index' : 'symbol';
      if (placeholder) this.placeholders.add(placeholder);
      this.#tokens.push({ kind, text: placeholder ?? word ?? index ?? symbol ?? '', at: start });
    }
    if (this.#tokens.length === 0) throw this.fault('The expression can not be empty;');
  }

  /** The token `ahead` of the next one, without taking it. */
  peek(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? { kind: 'end', text: '<EOF>', at: this.#source.length };
  }

  next(): Token {
    const token = this.peek();
    this.#at++;
    return token;
  }

  /** Takes the next token if it is that symbol or, in any case of letters, that keyword. */
  take(text: string): boolean {
    const token = this.peek();
    if (token.kind === 'placeholder' || token.text.toUpperCase() !== text) return false;
    this.#at++;
    return true;
  }

  expect(text: string): void {
    if (!this.take(text)) throw this.unexpected();
  }

  expectEnd(): void {
    if (this.peek().kind !== 'end') throw this.unexpected();
  }

  /** The fault for a next token that does not fit. */
  unexpected(): Fault {
    const { text, at } = this.peek();
    const near = this.#source.slice(Math.max(0, at - 8), at + text.length + 8).trim();
    return this.fault(`Syntax error; token: "${text}", near: "${near}"`);
  }

  fault(detail: string): Fault {
    return invalid(`Invalid ${this.#label}: ${detail}`);
  }
}
