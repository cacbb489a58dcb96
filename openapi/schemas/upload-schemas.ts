import { uploading } from '../../shared/files/uploads/announce/fields.ts';
import { MAXIMUM_UPLOAD } from '../../shared/http/maximum-sizes.ts';
import { MAXIMUM_UPLOADS } from '../../shared/representations/files/uploads-in-json.ts';
import { ref, type Schema } from '../model.ts';
import { COMMON_SCHEMAS } from './common-schemas.ts';
import { holding } from './fields.ts';
import { resourceSchemas, schemaNames } from './schemas.ts';

const { filename, contentType } = (COMMON_SCHEMAS.SentFile as Schema).properties as Record<string, Schema>;

/** The schemas of a manifest and of its response. */
export const UPLOAD_SCHEMAS: Readonly<Record<string, Schema>> = {
  AnnouncedFile: {
    type: 'object',
    description: 'A file whose bytes the client sends to the upload links in the response.',
    required: ['filename', 'size'],
    additionalProperties: false,
    properties: {
      filename,
      size: {
        description: 'Size in bytes.',
        type: 'integer',
        format: 'int64',
        minimum: 0,
        maximum: MAXIMUM_UPLOAD,
        examples: [1073741824],
      },
      contentType,
      digest: {
        type: 'string',
        description:
          'The service verifies the digest after the upload. A file above 32 GiB can have none. RFC 9530.',
        pattern: '^sha-256=:[A-Za-z0-9+/]{43}=:$',
        maxLength: 64,
        examples: ['sha-256=:fKMQ9Xtp9aWc8dn4IeTv0htzNaGvkmQCNL998MsaHjw=:'],
      },
    },
  },
  AnnouncedFiles: holding('files', {
    type: 'array',
    minItems: 1,
    maxItems: MAXIMUM_UPLOADS,
    items: ref('schemas', 'AnnouncedFile'),
  }),
  UploadOperation: {
    ...resourceSchemas(uploading)[schemaNames(uploading).item],
    title: 'UploadOperation',
  },
};
