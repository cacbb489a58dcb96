/** Bytes of a file name in UTF-8 at most: it stays below API Gateway's path limit even when percent-encoded. */
const MAXIMUM_BYTES = 255;

/** What is wrong with a file's name; undefined when nothing is. Names are kept exactly as sent. */
export function nameFault(name: string): string | undefined {
  if (name === '') return 'must not be empty';
  if (name === '.' || name === '..') return 'must not be . or ..';
  if (/[/\\\u0000-\u001f\u007f-\u009f]/.test(name)) return 'must not contain /, \\ or control characters';
  if (!name.isWellFormed() || /[\ufffe\uffff]/.test(name)) return 'must be Unicode text that XML can carry';
  return Buffer.byteLength(name) > MAXIMUM_BYTES ? `must have at most ${MAXIMUM_BYTES} bytes` : undefined;
}
