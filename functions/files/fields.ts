import { describe } from '../../shared/resource/description.ts';
import { integer, text } from '../../shared/resource/fields.ts';

/** What is listed of a stored file. */
export const description = describe({
  singular: 'file',
  identifier: { name: 'filename', kind: 'text', label: 'File name' },
  fields: {
    size: integer('Size in bytes', { server: true }),
    contentType: text('Media type', { server: true }),
    digest: text('Digest', { server: true }),
  },
  // Tells a row that follows its object from one that a crash left behind.
  internal: { etag: text('Entity tag') },
});
