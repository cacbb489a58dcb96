import { describe } from '../resource/description/description.ts';
import { integer, text } from '../resource/description/fields.ts';
import { MAXIMUM_BYTES, NAME, nameFault } from './name.ts';

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
