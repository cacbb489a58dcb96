import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credentials } from '../engines/signature.ts';

/** The file in the data directory with the address of the engines of a running service. */
const ENGINE_URL = 'engine-url';
/** The file with their key pair, for its owner alone: AWS's shared credentials file. */
const CREDENTIALS = 'credentials';

/** Engines of a running service, reached over the network. */
export interface RunningEngines {
  readonly url: string;
  readonly credentials: Credentials;
}

/**
 * Writes address and key pair into the data directory. Returns a function that removes them.
 *
 * Source: AWS SDKs and Tools Reference Guide, "Shared config and credentials files".
 */
export function announceEngines(directory: string, { url, credentials }: RunningEngines): () => void {
  const { accessKeyId, secretAccessKey } = credentials;
  const text = `[default]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`;
  const remove = () => {
    for (const name of [ENGINE_URL, CREDENTIALS]) rmSync(join(directory, name), { force: true });
  };
  // An existing file would keep its mode.
  remove();
  writeFileSync(join(directory, CREDENTIALS), text, { mode: 0o600 });
  writeFileSync(join(directory, ENGINE_URL), `${url}\n`, { mode: 0o600 });
  return remove;
}

/** The engines of the `npm start` that runs with this DATA_DIR; undefined if there is none. */
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
