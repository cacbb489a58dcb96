import { integer, text } from '../resource/description/fields.ts';
import { describe } from '../resource/description/plan.ts';

/** The largest size of a file name, in bytes of UTF-8. A percent-encoded name stays below API Gateway's path limit. */
export const MAXIMUM_BYTES = 255;

/**
 * The characters of a name. Path separators, control characters and characters that XML cannot carry are not allowed.
 * Format characters that reorder text are allowed, because the API never narrows its input. `nameFault` refuses lone
 * surrogates, because many engines of regular expressions refuse a pattern that names them.
 *
 * Source: Specification 5.1, 5.2, 12.1.
 */
export const NAME = /^(?!\.{1,2}$)[^/\\\u0000-\u001f\u007f-\u009f\ufffe\uffff]+$/u;

/** The fault of a file name; undefined if the name is valid. */
export function nameFault(name: string): string | undefined {
  if (name === '') return 'must not be empty';
  if (Buffer.byteLength(name) > MAXIMUM_BYTES) return `must have at most ${MAXIMUM_BYTES} bytes`;
  if (NAME.test(name) && name.isWellFormed()) return undefined;
  if (name === '.' || name === '..') return 'must not be . or ..';
  if (/[/\\\u0000-\u001f\u007f-\u009f]/.test(name)) return 'must not contain /, \\ or control characters';
  return 'must be Unicode text that XML can carry';
}

/** The properties of a file in the listing. */
export const fileDescription = describe({
  singular: 'file',
  identifier: {
    name: 'filename',
    kind: 'text',
    label: 'File name',
    pattern: NAME.source,
    maximum: MAXIMUM_BYTES,
    faultOf: nameFault,
    example: 'mug.png',
  },
  fields: {
    size: integer('Size', { server: true, unit: 'bytes', example: 3156 }),
    contentType: text('Media type', { server: true, example: 'image/png' }),
    digest: text('Digest', {
      coded: true,
      server: true,
      example: 'sha-256=:fKMQ9Xtp9aWc8dn4IeTv0htzNaGvkmQCNL998MsaHjw=:',
    }),
  },
  // The entity tag of the object that this row describes. If it differs from S3, a crash left an old row.
  internal: { etag: text('Entity tag') },
});
