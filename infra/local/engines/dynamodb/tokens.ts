import { type Fault, notImplemented } from '../fault.ts';
import { invalid } from './faults.ts';
import type { Placeholders } from './placeholders.ts';
import { RESERVED_WORDS } from './reserved-words.ts';
import type { Value } from './value.ts';

const TOKEN = /\s*([#:][A-Za-z0-9_]+|[A-Za-z_][A-Za-z0-9_]*|<>|<=|>=|[=<>(),+-])/y;
const MAX_BYTES = 4096;

/**
 * Reads a whole expression, if the request has it.
 *
 * @param label the request member, for messages: `ConditionExpression`
 * @throws ValidationException
 */
export function readExpression<Tree>(
  label: string,
  source: string | undefined,
  placeholders: Placeholders,
  parse: (tokens: Tokens) => Tree,
): Tree | undefined {
  if (source === undefined) return undefined;
  const tokens = new Tokens(label, source, placeholders);
  const tree = parse(tokens);
  if (tokens.peek() !== '') throw tokens.unexpected();
  return tree;
}

/** The tokens of one expression, in order: placeholders with their `#` or `:`, words and symbols; at the end ''. */
export class Tokens {
  /** The attributes read so far, by their own names. */
  readonly attributes = new Set<string>();
  readonly #label: string;
  readonly #placeholders: Placeholders;
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(label: string, source: string, placeholders: Placeholders) {
    this.#label = label;
    this.#placeholders = placeholders;
    if (Buffer.byteLength(source) > MAX_BYTES) throw this.fault('Expression size has exceeded the maximum');
    TOKEN.lastIndex = 0;
    for (let end = 0; source.slice(end).trim() !== ''; end = TOKEN.lastIndex) {
      const token = TOKEN.exec(source)?.[1];
      const rest = source.slice(end).trim();
      if (token) this.#tokens.push(token);
      else if (/^[.[]/.test(rest)) throw notImplemented('DynamoDB document path below the top level');
      else throw this.fault(`Syntax error near: "${rest.slice(0, 8)}"`);
    }
    if (this.#tokens.length === 0) throw this.fault('The expression can not be empty;');
  }

  /** The token `ahead` of the next one, without taking it. */
  peek(ahead = 0): string {
    return this.#tokens[this.#at + ahead] ?? '';
  }

  next(): string {
    const token = this.peek();
    this.#at++;
    return token;
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

  /** Takes an attribute name or a `#placeholder` and answers the name. */
  attribute(): string {
    const token = this.peek();
    const name = token.startsWith('#') ? this.#placeholders.name(token) : token;
    if (name === undefined) {
      throw this.fault(`An expression attribute name used in the document path is not defined: ${token}`);
    }
    if (!/^[#A-Za-z_]/.test(token)) throw this.unexpected();
    if (RESERVED_WORDS.has(token.toUpperCase())) {
      throw this.fault(`Attribute name is a reserved keyword; reserved keyword: ${token}`);
    }
    this.#at++;
    this.attributes.add(name);
    return name;
  }

  /** Takes a `:placeholder` and answers its value. */
  value(): Value {
    const token = this.peek();
    if (!token.startsWith(':')) throw this.unexpected();
    const value = this.#placeholders.value(token);
    if (!value) throw this.fault(`An expression attribute value used in expression is not defined: ${token}`);
    this.#at++;
    return value;
  }

  /** The fault for a next token that does not fit. */
  unexpected(): Fault {
    const near = this.#tokens.slice(Math.max(0, this.#at - 1), this.#at + 2);
    return this.fault(`Syntax error; token: "${this.peek() || '<EOF>'}", near: "${near.join(' ')}"`);
  }

  fault(detail: string): Fault {
    return invalid(`Invalid ${this.#label}: ${detail}`);
  }
}
