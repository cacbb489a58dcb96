import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { configureClock } from '../shared/aws/clock.ts';
import { readOptions } from './options.ts';
import { start } from './service.ts';
import type { GivenSettings } from './settings.ts';

const UNITS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
type Unit = keyof typeof UNITS;
/** A duration: `5 days`, `1 hour`. */
type Duration = `${number} ${Unit | `${Unit}s`}`;

/** What a test gives a service. */
interface TestOptions extends GivenSettings {
  /** The time at the start. Without it, that of the machine. The clock goes on from there. */
  readonly now?: number | string | Date;
}

/** A service that runs for a test. */
export interface TestService extends AsyncDisposable {
  /** Its address on 127.0.0.1, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** Lets time pass, and begins the runs of schedules whose time comes: `await service.advance('5 days')`. */
  advance(duration: Duration): Promise<void>;
  /**
   * Waits until code has reacted to all changes, and accepted operations, due schedules, uploads and webhooks have run.
   * A webhook that failed tries again later. @throws Error after 30 s
   */
  settled(): Promise<void>;
  /** Runs a schedule now, and waits for its end. @throws Error if it fails */
  run(schedule: string): Promise<void>;
  /** Stops the service and removes its data. */
  stop(): Promise<void>;
}

/** How often `settled` looks, and how often in a row nothing may be left. */
const LOOK_MS = 20;
const LOOKS = 4;
const PATIENCE_MS = 30_000;

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
export async function startService({ now, ...given }: TestOptions = {}): Promise<TestService> {
  const directory = await mkdtemp(join(tmpdir(), 'service-'));
  const remove = () => rm(directory, { recursive: true, force: true });
  let ahead = now === undefined ? 0 : new Date(now).getTime() - Date.now();
  const clock = () => Date.now() + ahead;
  configureClock(clock);
  try {
    const options = readOptions(['--empty'], { PORT: '0', DATA_DIR: directory });
    const { url, stop, look, run, isBusy } = await start(options, clock, given);
    const end = async () => {
      configureClock(Date.now);
      await stop().finally(remove);
    };
    const settled = async () => {
      await look();
      const limit = Date.now() + PATIENCE_MS;
      for (let quiet = 0; quiet < LOOKS; quiet = (await isBusy()) ? 0 : quiet + 1) {
        if (Date.now() > limit)
          throw new Error('The service still has work after 30 s. Its log says what fails');
        await pause(LOOK_MS);
      }
    };
    const advance = async (duration: Duration) => {
      const [, count, unit] = /^(\d+(?:\.\d+)?) (second|minute|hour|day)s?$/.exec(duration) ?? [];
      if (unit === undefined) throw new Error(`'${duration}' must be a duration: use one such as '5 days'`);
      ahead += Number(count) * (new Map<string, number>(Object.entries(UNITS)).get(unit) ?? 0);
      await look();
    };
    return { url, advance, settled, run, stop: end, [Symbol.asyncDispose]: end };
  } catch (error) {
    configureClock(Date.now);
    await remove();
    throw error;
  }
}
