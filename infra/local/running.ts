import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENGINE_URL } from './subscriber.ts';

/** Where the engines of a running `npm start` listen; undefined when none runs with this data. */
export function runningEngines({ ENGINE_PORT, DATA_DIR }: NodeJS.ProcessEnv): string | undefined {
  if (Number(ENGINE_PORT) > 0) return `http://127.0.0.1:${ENGINE_PORT}`;
  try {
    return readFileSync(join(DATA_DIR || '.data', ENGINE_URL), 'utf8').trim();
  } catch {
    return undefined;
  }
}
