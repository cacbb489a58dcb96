import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from './options.ts';
import { start } from './service.ts';
import type { GivenSettings } from './settings.ts';

/** A service that runs for a test. */
export interface TestService extends AsyncDisposable {
  /** Its address on 127.0.0.1, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** Stops the service and removes its data. */
  stop(): Promise<void>;
}

/**
 * Starts the service in this process: on a free port of 127.0.0.1, on embedded engines, with new data. A process runs
 * one such service at a time, and `node --test` gives each test file a process of its own.
 *
 * `variables` and `secrets`: the values for what `needs` names. The environment and `.env` count for nothing.
 *
 * ```ts
 * const service = await startService();
 * after(() => service.stop());
 * const response = await fetch(`${service.url}/widgets`);
 * ```
 *
 * @throws Error with a sentence for each fault, if a definition of a resource is wrong
 */
export async function startService(given: GivenSettings = {}): Promise<TestService> {
  const directory = await mkdtemp(join(tmpdir(), 'service-'));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    const { url, stop } = await start(
      readOptions(['--empty'], { PORT: '0', DATA_DIR: directory }),
      undefined,
      given,
    );
    const end = () => stop().finally(remove);
    return { url, stop: end, [Symbol.asyncDispose]: end };
  } catch (error) {
    await remove();
    throw error;
  }
}
