/** Bytes of a file name in UTF-8 at most: it stays below API Gateway's path limit even when percent-encoded. */
export const MAXIMUM_BYTES = 255;

/**
 * Characters that a name may have: no path separators, no controls, nothing that XML cannot carry. Controls include those
 * that reorder text, with which `gpj.exe` looks like `exe.jpg`. Lone surrogates are judged apart, since many engines of
 * regular expressions refuse a pattern that names them.
 *
 * Source: Unicode Standard Annex #9 §2 (explicit directional formatting characters); Specification 5.2.
 */
export const NAME = /^(?!\.{1,2}$)[^/\\\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]+$/u;

/** What is wrong with a file's name; undefined when nothing is. Names are kept exactly as sent. */
export function nameFault(name: string): string | undefined {
  if (name === '') return 'must not be empty';
  if (Buffer.byteLength(name) > MAXIMUM_BYTES) return `must have at most ${MAXIMUM_BYTES} bytes`;
  if (NAME.test(name) && name.isWellFormed()) return undefined;
  if (name === '.' || name === '..') return 'must not be . or ..';
  if (/[/\\\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(name))
    return 'must not contain /, \\ or control characters';
  return 'must be Unicode text that XML can carry';
}
