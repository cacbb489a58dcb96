import { withoutUndo } from '../../../operations/record/fields.ts';
import { storedOperations } from '../../../operations/record/operations.ts';
import type { Description, Fields } from '../../../resource/description/description.ts';
import { integer, structure, text, timestamp } from '../../../resource/description/fields.ts';
import { describe } from '../../../resource/description/plan.ts';
import type { Resource } from '../../../resource/resource.ts';

const method = (name: string) => text('Method', { maximum: 10, example: name });
const href = text('Address', { example: 'https://bucket.s3.eu-central-1.amazonaws.com/files/film.mp4?…' });
const headers = structure('Header fields that have to be sent', {}, { required: [], open: true });
const size = integer('Size in bytes', { example: 8388608 });

/** The upload links of a manifest. Only the responses to the manifest and to a renewal have them. */
export const uploads = structure(
  'The presigned URLs of the files; this response and a renewal have them',
  {
    filename: text('File name', { maximum: 255, example: 'film.mp4' }),
    size,
    expiresAt: timestamp('Links can be used until'),
    method: method('PUT'),
    href,
    headers,
    partSize: integer('Size of each part but the last', { example: 8388608 }),
    parts: structure(
      'Parts to send one by one, if the file has several',
      { partNumber: integer('Number', { minimum: 1, example: 1 }), size, method: method('PUT'), href },
      { several: true },
    ),
    complete: structure('Joins the parts to a file', { method: method('POST'), href, headers }),
    abort: structure('Discards the parts for good. To upload the file later, announce it again', {
      method: method('DELETE'),
      href,
    }),
    sent: structure('Lists the parts that have arrived', { method: method('GET'), href }),
  },
  { required: ['filename', 'size', 'expiresAt'], several: true },
);

const description = storedOperations.description as Description;
const fields: Fields = { ...withoutUndo(description.fields), uploads };

/** The representation of an operation in the responses to a manifest and to a renewal of its links. */
export const uploading: Resource = {
  ...storedOperations,
  description: describe({ ...description, fields }),
};
