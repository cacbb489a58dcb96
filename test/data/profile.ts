import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningEngines } from '../../local/running.ts';

/** A profile of the AWS CLI whose process gives the credentials of running engines. */
export interface Profile {
  readonly environment: Readonly<Record<string, string>>;
  /** How often the process ran. */
  readonly runs: () => number;
}

/** Writes a profile into a directory. Its credentials are about to expire, so a command renews them. */
export function writeProfile(directory: string, { url, credentials }: RunningEngines): Profile {
  const place = (name: string) => join(directory, name);
  writeFileSync(place('runs'), '');
  writeFileSync(
    place('process.mjs'),
    `import { appendFileSync } from 'node:fs';
    appendFileSync(${JSON.stringify(place('runs'))}, 'x');
    const Expiration = new Date(Date.now() + 60_000).toISOString();
    const { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey } = ${JSON.stringify(credentials)};
    console.log(JSON.stringify({ Version: 1, AccessKeyId, SecretAccessKey, Expiration }));`,
  );
  writeFileSync(
    place('config'),
    `[profile work]
region = us-east-1
credential_process = ${process.execPath} ${place('process.mjs')}
`,
  );
  return {
    environment: {
      AWS_ACCESS_KEY_ID: '',
      AWS_PROFILE: 'work',
      AWS_CONFIG_FILE: place('config'),
      AWS_SHARED_CREDENTIALS_FILE: place('none'),
      AWS_ENDPOINT_URL: url,
    },
    runs: () => readFileSync(place('runs'), 'utf8').length,
  };
}
