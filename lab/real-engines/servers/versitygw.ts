import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { withGo } from '../install.ts';
import { CREDENTIALS, type Engine, REGION } from '../place.ts';

/** S3 on a folder. */
export const versitygw: Engine = {
  name: 'versitygw',
  version: '1.8.0',
  install: (folder) => withGo('github.com/versity/versitygw/cmd/versitygw@v1.8.0', folder),
  program: ({ port, programs, data, webhook }) => {
    const objects = join(data, 'objects');
    mkdirSync(objects);
    return {
      command: join(programs, 'versitygw'),
      args: [
        ...['--port', `127.0.0.1:${port}`, '--region', REGION],
        ...['--event-webhook-url', webhook],
        // The same CORS header fields as the embedded engines.
        ...['--cors-allow-origin', '*', '--quiet'],
        ...['posix', objects],
      ],
      environment: { ROOT_ACCESS_KEY: CREDENTIALS.accessKeyId, ROOT_SECRET_KEY: CREDENTIALS.secretAccessKey },
    };
  },
};
