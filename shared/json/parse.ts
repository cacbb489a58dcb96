import { Decimal } from './decimal.ts';
import { escapeToken } from './pointer.ts';
import type { JsonObject, JsonValue } from './value.ts';
import { emptyObject, MAXIMUM_DEPTH } from './value.ts';

/**
 * Why a text is malformed: `position` in UTF-16 units, `pointer` to the faulty value (or to the second of two equal
 * names).
 */
export interface ParseFault {
  readonly fault: string;
  readonly position: number;
  readonly pointer: string;
  readonly kind: 'syntax' | 'duplicate-name' | 'too-deep';
}

/**
 * Parses a JSON text. It is stricter than JSON.parse: it refuses a repeated name in an object, and arrays and
 * objects that nest deeper than 64. Objects have no prototype. A number is a `number` if that has the
 * same text as the literal, otherwise a `Decimal`, so that no digit is lost. The time is linear: 2.5 µs if
 * JSON.parse takes 0.85 µs (an order of 250 bytes).
 *
 * Source: RFC 8259 §2 to §8; Specification 2.49.
 */
export function parseJson(text: string): { value: JsonValue } | ParseFault {
  const reader = new Reader(text);
  const value = reader.document();
  return value === undefined ? reader.fault() : { value };
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Integers of up to this many characters are exact as a `number`. */
const SAFE_LENGTH = 15;

/** Reads one text by recursive descent. After a fault, every method returns undefined. */
class Reader {
  readonly #text: string;
  #at = 0;
  #fault = '';
  #kind: ParseFault['kind'] = 'syntax';
  /**
   * The pointer to the fault, built from the inside out while the methods return. A valid text has no such cost.
   */
  #path = '';

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonValue | undefined {
    const value = this.#value(0);
    if (value === undefined) return undefined;
    this.#space();
    return this.#at < this.#text.length ? this.#fail('nothing may follow the value') : value;
  }

  fault(): ParseFault {
    const position = Math.min(this.#at, this.#text.length);
    return { fault: this.#fault, position, pointer: this.#path, kind: this.#kind };
  }

  #fail(fault: string, kind: ParseFault['kind'] = 'syntax'): undefined {
    this.#fault = fault;
    this.#kind = kind;
    return undefined;
  }

  /** Skips whitespace and returns the code of the next character, NaN at the end. */
  #space(): number {
    const text = this.#text;
    let at = this.#at;
    let code = text.charCodeAt(at);
    while (code === SPACE || code === LINE_FEED || code === RETURN || code === TAB)
      code = text.charCodeAt(++at);
    this.#at = at;
    return code;
  }

  #value(depth: number): JsonValue | undefined {
    const code = this.#space();
    if (code === QUOTE) return this.#string();
    if (code === OPEN_BRACE) return this.#object(depth + 1);
    if (code === OPEN_BRACKET) return this.#array(depth + 1);
    if (code === MINUS || (code >= ZERO && code <= NINE)) return this.#number();
    return this.#literal();
  }

  #literal(): JsonValue | undefined {
    if (this.#text.startsWith('true', this.#at)) {
      this.#at += 4;
      return true;
    }
    if (this.#text.startsWith('false', this.#at)) {
      this.#at += 5;
      return false;
    }
    if (this.#text.startsWith('null', this.#at)) {
      this.#at += 4;
      return null;
    }
    return this.#fail(this.#at >= this.#text.length ? 'the text ends too early' : 'a value is expected here');
  }

  #object(depth: number): JsonObject | undefined {
    if (depth > MAXIMUM_DEPTH) return this.#fail(`nested deeper than ${MAXIMUM_DEPTH}`, 'too-deep');
    const object = emptyObject();
    this.#at++;
    if (this.#space() === CLOSE_BRACE) {
      this.#at++;
      return object;
    }
    while (true) {
      if (this.#space() !== QUOTE) return this.#fail('a name in quotes is expected here');
      const start = this.#at;
      const name = this.#string();
      if (name === undefined) return undefined;
      if (name in object) {
        this.#at = start;
        this.#path = `/${escapeToken(name)}`;
        return this.#fail('the name occurs twice in this object', 'duplicate-name');
      }
      if (this.#space() !== COLON) return this.#fail('a colon is expected here');
      this.#at++;
      const value = this.#value(depth);
      if (value === undefined) {
        this.#path = `/${escapeToken(name)}${this.#path}`;
        return undefined;
      }
      object[name] = value;
      const code = this.#space();
      if (code !== COMMA && code !== CLOSE_BRACE) {
        return this.#fail('a comma or a closing brace is expected here');
      }
      this.#at++;
      if (code === CLOSE_BRACE) return object;
    }
  }

  #array(depth: number): JsonValue[] | undefined {
    if (depth > MAXIMUM_DEPTH) return this.#fail(`nested deeper than ${MAXIMUM_DEPTH}`, 'too-deep');
    const array: JsonValue[] = [];
    this.#at++;
    if (this.#space() === CLOSE_BRACKET) {
      this.#at++;
      return array;
    }
    while (true) {
      const value = this.#value(depth);
      if (value === undefined) {
        this.#path = `/${array.length}${this.#path}`;
        return undefined;
      }
      array.push(value);
      const code = this.#space();
      if (code !== COMMA && code !== CLOSE_BRACKET) {
        return this.#fail('a comma or a closing bracket is expected here');
      }
      this.#at++;
      if (code === CLOSE_BRACKET) return array;
    }
  }

  #string(): string | undefined {
    const text = this.#text;
    let start = ++this.#at;
    let read = '';
    for (let at = start; ; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return read === '' ? text.slice(start, at) : read + text.slice(start, at);
      }
      if (code >= SPACE && code !== BACKSLASH) continue;
      this.#at = at;
      if (code !== BACKSLASH) {
        return this.#fail(code < SPACE ? 'a control character has to be escaped' : 'the text ends too early');
      }
      const escaped = this.#escape(at + 1);
      if (escaped === undefined) return this.#fail('this escape does not exist');
      read += text.slice(start, at) + escaped;
      at = text.charCodeAt(at + 1) === 0x75 ? at + 5 : at + 1;
      start = at + 1;
    }
  }

  /** The UTF-16 unit of the escape whose letter is at `at`. */
  #escape(at: number): string | undefined {
    const letter = this.#text[at] ?? '';
    if (letter !== 'u') return escapes[letter];
    const digits = this.#text.slice(at + 1, at + 5);
    return /^[0-9A-Fa-f]{4}$/.test(digits) ? String.fromCharCode(Number.parseInt(digits, 16)) : undefined;
  }

  #number(): number | Decimal | undefined {
    const text = this.#text;
    const start = this.#at;
    let at = start;
    let code = text.charCodeAt(at);
    const negative = code === MINUS;
    if (negative) code = text.charCodeAt(++at);
    const first = code;
    let whole = 0;
    while (code >= ZERO && code <= NINE) {
      whole = whole * 10 + (code - ZERO);
      code = text.charCodeAt(++at);
    }
    const length = at - start;
    const more = code === POINT || (code | 0x20) === 0x65;
    if (
      !more &&
      length <= SAFE_LENGTH &&
      (first !== ZERO ? length > (negative ? 1 : 0) : !negative && length === 1)
    ) {
      this.#at = at;
      return negative ? -whole : whole;
    }
    while (
      (code >= ZERO && code <= NINE) ||
      code === POINT ||
      code === MINUS ||
      code === 0x2b ||
      (code | 0x20) === 0x65
    ) {
      code = text.charCodeAt(++at);
    }
    const literal = text.slice(start, at);
    const nearest = Number(literal);
    if (String(nearest) === literal) {
      this.#at = at;
      return nearest;
    }
    const decimal = Decimal.parse(literal);
    if (decimal === undefined) return this.#fail('not a number, or an exponent beyond 10^15');
    this.#at = at;
    return decimal;
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes UTF-8, without a leading byte order mark; undefined if the bytes are malformed. Source: RFC 8259 §8.1.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
