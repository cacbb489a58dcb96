import { describe } from '../../shared/resource/description.ts';
import { integer, text } from '../../shared/resource/fields.ts';
import { MAXIMUM_BYTES, NAME } from './name.ts';

/** What is listed of a stored file. */
export const description = describe({
  singular: 'file',
  identifier: {
    name: 'filename',
    kind: 'text',
    label: 'File name',
    pattern: NAME.source,
    maximum: MAXIMUM_BYTES,
    example: 'mug.png',
  },
  fields: {
    size: integer('Size in bytes', { server: true, example: 3156 }),
    contentType: text('Media type', { server: true, example: 'image/png' }),
    digest: text('Digest', {
      server: true,
      example: 'sha-256=:fKMQ9Xtp9aWc8dn4IeTv0htzNaGvkmQCNL998MsaHjw=:',
    }),
  },
  // Tells a row that follows its object from one that a crash left behind.
  internal: { etag: text('Entity tag') },
});
