/** Bytes of a file name in UTF-8 at most: it stays below API Gateway's path limit even when percent-encoded. */
export const MAXIMUM_BYTES = 255;

/**
 * The characters of a name: no path separators, no control characters, nothing that XML cannot carry. Format characters
 * that reorder text are allowed, because a name is kept as sent and the API never narrows what it accepts. Another rule
 * refuses lone surrogates, because many engines of regular expressions refuse a pattern that names them.
 *
 * Source: Specification 5.1, 5.2, 12.1.
 */
export const NAME = /^(?!\.{1,2}$)[^/\\\u0000-\u001f\u007f-\u009f\ufffe\uffff]+$/u;

/** What is wrong with a file's name; undefined when nothing is. Names are kept exactly as sent. */
export function nameFault(name: string): string | undefined {
  if (name === '') return 'must not be empty';
  if (Buffer.byteLength(name) > MAXIMUM_BYTES) return `must have at most ${MAXIMUM_BYTES} bytes`;
  if (NAME.test(name) && name.isWellFormed()) return undefined;
  if (name === '.' || name === '..') return 'must not be . or ..';
  if (/[/\\\u0000-\u001f\u007f-\u009f]/.test(name)) return 'must not contain /, \\ or control characters';
  return 'must be Unicode text that XML can carry';
}
