const TAB = 0x09;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const DELETE = 0x7f;

/** 1 where an ASCII character is a tchar. Source: RFC 9110 §5.6.2. */
const tchar = new Uint8Array(128);
for (const character of "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") {
  tchar[character.charCodeAt(0)] = 1;
}

/**
 * The index after the token that begins at `start`; `start` itself if there is no token. Source: RFC 9110 §5.6.2.
 */
export function tokenEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && tchar[text.charCodeAt(at)] === 1) at++;
  return at;
}

/** The index of the first character from `start` on that is not optional whitespace. Source: RFC 9110 §5.6.3. */
export function whitespaceEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code !== SPACE && code !== TAB) break;
    at++;
  }
  return at;
}

/** The text without the optional whitespace around it: SP and HTAB only. Source: RFC 9110 §5.6.3. */
export function trimWhitespace(text: string): string {
  const start = whitespaceEnd(text, 0);
  let end = text.length;
  while (end > start) {
    const code = text.charCodeAt(end - 1);
    if (code !== SPACE && code !== TAB) break;
    end--;
  }
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

/**
 * The index after the quoted-string whose opening quote is at `start`, or -1 if it is not closed or has a control
 * character. Source: RFC 9110 §5.6.4.
 */
export function quotedStringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    let code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) code = text.charCodeAt(++at);
    if (Number.isNaN(code) || (code < SPACE && code !== TAB) || code === DELETE) return -1;
  }
  return -1;
}

/** The content of a well-formed quoted-string, without quotes and escapes. Source: RFC 9110 §5.6.4. */
export function unquote(quoted: string): string {
  const inner = quoted.slice(1, -1);
  return inner.includes('\\') ? inner.replace(/\\(.)/gs, '$1') : inner;
}

/**
 * True if a text is a valid field value without changes. It has no CR, LF, NUL or other control character but HTAB,
 * and no whitespace at its ends. It has no character above U+00FF, which no octet can represent. The empty text is
 * valid.
 *
 * Source: RFC 9110 §5.5.
 */
export function isFieldValue(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code < SPACE && code !== TAB) || code === DELETE || code > 0xff) return false;
  }
  return trimWhitespace(text).length === text.length;
}

/**
 * A text as a quoted-string, with quotes and backslashes escaped. The function replaces characters that a field
 * cannot carry, so that no text can end the string early. A control character becomes SP (§5.5 demands this for CR,
 * LF and NUL), a character above U+00FF becomes `?`.
 *
 * Source: RFC 9110 §5.6.4.
 */
export function quotedString(text: string): string {
  if (!/[^\x20!#-[\]-~]/.test(text)) return `"${text}"`;
  const carried = text.replace(/[\0-\x08\x0a-\x1f\x7f]/g, ' ').replace(/[^\0-\xff]/gu, '?');
  return `"${carried.replace(/["\\]/g, '\\$&')}"`;
}

/**
 * The members of a comma-separated list, without surrounding whitespace and without empty members. A comma inside a
 * quoted-string does not separate members. An unclosed quoted-string ends at the end of the field. Not for entity
 * tags, in which a backslash escapes nothing.
 *
 * Source: RFC 9110 §5.6.1.
 */
export function listMembers(field: string): string[] {
  const members: string[] = [];
  let start = 0;
  for (let at = 0; at <= field.length; at++) {
    const code = at === field.length ? COMMA : field.charCodeAt(at);
    if (code === QUOTE) {
      at++;
      while (at < field.length && field.charCodeAt(at) !== QUOTE) {
        at += field.charCodeAt(at) === BACKSLASH ? 2 : 1;
      }
      // The loop skips the closing quote. If there is none, the index goes back by one, so that the loop still
      // handles the end of the field.
      if (at >= field.length) at = field.length - 1;
    } else if (code === COMMA) {
      const member = trimWhitespace(field.slice(start, at));
      if (member !== '') members.push(member);
      start = at + 1;
    }
  }
  return members;
}
