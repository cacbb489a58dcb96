import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credentials } from 'embedded-aws';

/** File in the data directory with the address of the running engines. */
const ENGINE_URL = 'engine-url';
/** File with their key pair, readable for its owner alone. It has the format of AWS's shared credentials file. */
const CREDENTIALS = 'credentials';

/** Engines of a running service, reached over the network. */
export interface RunningEngines {
  readonly url: string;
  readonly credentials: Credentials;
}

/**
 * Writes the address and the key pair into the data directory. Returns a function that removes both.
 *
 * Source: AWS SDKs and Tools Reference Guide, "Shared config and credentials files".
 */
export function announceEngines(directory: string, { url, credentials }: RunningEngines): () => void {
  const { accessKeyId, secretAccessKey } = credentials;
  const text = `[default]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`;
  const remove = () => {
    for (const name of [ENGINE_URL, CREDENTIALS]) rmSync(join(directory, name), { force: true });
  };
  // The mode applies only to a new file.
  remove();
  writeFileSync(join(directory, CREDENTIALS), text, { mode: 0o600 });
  writeFileSync(join(directory, ENGINE_URL), `${url}\n`, { mode: 0o600 });
  return remove;
}

/** Returns the engines of the `npm start` that uses this DATA_DIR; undefined if there is none. */
export function runningEngines({ DATA_DIR }: NodeJS.ProcessEnv): RunningEngines | undefined {
  try {
    const read = (name: string) => readFileSync(join(DATA_DIR || '.data', name), 'utf8');
    const text = read(CREDENTIALS);
    const value = (name: string) => new RegExp(`^${name} = (.+)$`, 'm').exec(text)?.[1] ?? '';
    const credentials = {
      accessKeyId: value('aws_access_key_id'),
      secretAccessKey: value('aws_secret_access_key'),
    };
    return { url: read(ENGINE_URL).trim(), credentials };
  } catch {
    return undefined;
  }
}
