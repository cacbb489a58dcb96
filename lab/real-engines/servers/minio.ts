import { join } from 'node:path';
import { withGo } from '../install.ts';
import { CREDENTIALS, type Engine } from '../place.ts';

/** The name of the webhook in MinIO. Its ARN is `arn:minio:sqs::BRIDGE:webhook`. */
export const WEBHOOK_ARN = 'arn:minio:sqs::BRIDGE:webhook';

/** S3 on a folder. The Go module proxy identifies its releases only by the times of their commits. */
export const minio: Engine = {
  name: 'minio',
  version: '20260212',
  install: (folder) => withGo('github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c', folder),
  program: ({ port, programs, data, webhook }) => ({
    command: join(programs, 'minio'),
    args: ['server', '--quiet', '--address', `127.0.0.1:${port}`, join(data, 'objects')],
    environment: {
      MINIO_ROOT_USER: CREDENTIALS.accessKeyId,
      MINIO_ROOT_PASSWORD: CREDENTIALS.secretAccessKey,
      MINIO_UPDATE: 'off',
      MINIO_BROWSER: 'off',
      MINIO_NOTIFY_WEBHOOK_ENABLE_BRIDGE: 'on',
      MINIO_NOTIFY_WEBHOOK_ENDPOINT_BRIDGE: webhook,
    },
  }),
};
