import { type Fault, invalid, notImplemented } from '../../fault.ts';
import type { Value } from '../values/value.ts';
import { RESERVED_WORDS } from './reserved-words.ts';

const TOKEN = /\s*([#:][A-Za-z0-9_]+|[A-Za-z_][A-Za-z0-9_]*|<>|<=|>=|[=<>(),+-])/y;
const MAXIMUM_BYTES = 4096;

/** The names and values that the placeholders of a request have. */
interface Placeholders {
  name(placeholder: string): string | undefined;
  value(placeholder: string): Value | undefined;
}

/**
 * The tokens of one expression, in order: placeholders with their `#` or `:`, words and symbols. The last token is
 * ''.
 */
export class Tokens {
  /** The attributes read so far, by their own names. */
  readonly attributes = new Set<string>();
  readonly #label: string;
  readonly #placeholders: Placeholders;
  readonly #tokens: string[] = [];
  #at = 0;

  /** @param label the request member, for messages: `ConditionExpression` */
  constructor(label: string, source: string, placeholders: Placeholders) {
    this.#label = label;
    this.#placeholders = placeholders;
    if (Buffer.byteLength(source) > MAXIMUM_BYTES)
      throw this.fault('Expression size has exceeded the maximum');
    TOKEN.lastIndex = 0;
    for (let rest = source.trim(); rest !== ''; rest = source.slice(TOKEN.lastIndex).trim()) {
      const token = TOKEN.exec(source)?.[1];
      if (!token && /^[.[]/.test(rest)) throw notImplemented('DynamoDB document path below the top level');
      if (!token) throw this.fault(`Syntax error near: "${rest.slice(0, 8)}"`);
      this.#tokens.push(token);
    }
    if (this.#tokens.length === 0) throw this.fault('The expression can not be empty;');
  }

  /** The token `ahead` of the next one, without taking it. */
  peek(ahead = 0): string {
    return this.#tokens[this.#at + ahead] ?? '';
  }

  next(): string {
    return this.#tokens[this.#at++] ?? '';
  }

  /** Takes the next token if it is that symbol or, in any case of letters, that keyword. */
  take(text: string): boolean {
    if (this.peek().toUpperCase() !== text) return false;
    this.#at++;
    return true;
  }

  expect(text: string): void {
    if (!this.take(text)) throw this.unexpected();
  }

  /** Takes an attribute name or a `#placeholder` and returns the name. */
  attribute(): string {
    const token = this.peek();
    if (!/^[#A-Za-z_]/.test(token)) throw this.unexpected();
    const name = token.startsWith('#') ? this.#placeholders.name(token) : token;
    if (name === undefined) throw this.fault(`An expression attribute name is not defined: ${token}`);
    if (RESERVED_WORDS.has(token.toUpperCase())) {
      throw this.fault(`Attribute name is a reserved keyword; reserved keyword: ${token}`);
    }
    this.#at++;
    this.attributes.add(name);
    return name;
  }

  /** Takes a `:placeholder` and returns its value. */
  value(): Value {
    const token = this.peek();
    if (!token.startsWith(':')) throw this.unexpected();
    const value = this.#placeholders.value(token);
    if (!value) throw this.fault(`An expression attribute value is not defined: ${token}`);
    this.#at++;
    return value;
  }

  /** Returns the fault for an unexpected token. */
  unexpected(): Fault {
    const near = this.#tokens.slice(Math.max(0, this.#at - 1), this.#at + 2).join(' ');
    return this.fault(`Syntax error; token: "${this.peek() || '<EOF>'}", near: "${near}"`);
  }

  fault(detail: string): Fault {
    return invalid(`Invalid ${this.#label}: ${detail}`);
  }
}
