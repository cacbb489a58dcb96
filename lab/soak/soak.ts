import { setTimeout as pause } from 'node:timers/promises';
import { clientOf } from '../../test/support/client/client.ts';
import { freePort } from '../../test/support/free-port.ts';
import { randomNumbers } from '../../test/support/random-numbers.ts';
import { type Run, run, temporary } from '../../test/support/service/service.ts';
import type { Check } from '../checks.ts';
import { audit } from './audit.ts';
import { CLIENTS } from './clients.ts';
import { Ledger } from './ledger.ts';
import { maintenance } from './maintenance.ts';
import { type Counts, persistent } from './persistent.ts';
import { growth, type Sample, Watch } from './watch.ts';

/** Ms between two turns of a client, two samples, and two kills. */
const TURN_MS = 200;
const SAMPLE_MS = 2000;
const KILL_MS = 60_000;
/** Seconds after the last kill in which the process loads and compiles its modules. */
const WARM_S = 60;
/** The part of the time with kills. The process lives through the rest, so that its memory can show whether it grows. */
const WITH_KILLS = 0.6;
/** How much larger memory and handles may be in the last third than in the middle third of the time without kills. */
const MOST_GROWTH = 1.3;

/** The result of a soak: its samples, the seconds of its kills, and the numbers of answers and acknowledged writes. */
export interface Soaked {
  readonly samples: readonly Sample[];
  /** The samples of the time without kills, after a minute in which the process loads and compiles its modules. */
  readonly calm: readonly Sample[];
  readonly kills: readonly number[];
  readonly counts: Counts;
  readonly writes: number;
}

/**
 * Runs clients of all kinds and the work of operators against `npm start` for `ms`, kills the service each minute of the
 * first part, and then compares the service with what it acknowledged.
 */
export async function soak(ms: number, seed: number, check: Check): Promise<Soaked> {
  const { directory, remove } = await temporary();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const counts: Counts = { answers: 0, refused: 0, cut: 0 };
  const ledger = new Ledger();
  const watch = new Watch(counts);
  const kills: number[] = [];
  let service: Run | undefined;
  let isOver = false;
  const start = async () => {
    service = await run({ directory, port, args: ['--empty'] });
    if (service.url === undefined) throw new Error(`The service did not start:\n${service.output()}`);
  };
  try {
    await start();
    const failures: string[] = [];
    const working = [...CLIENTS, ...maintenance(directory)].flatMap(([name, kind, count]) =>
      Array.from({ length: count }, async (_, at) => {
        const send = persistent(url, counts);
        const turn = kind({ send, ledger, next: randomNumbers(seed + at) });
        while (!isOver && failures.length === 0) {
          await turn().catch((error: Error) => failures.push(`${name}: ${error.message}`));
          await pause(TURN_MS);
        }
      }),
    );
    const begun = performance.now();
    const elapsed = () => performance.now() - begun;
    let killAt = KILL_MS;
    while (elapsed() < ms && failures.length === 0) {
      await pause(SAMPLE_MS);
      watch.take(service?.pid ?? 0);
      if (elapsed() < killAt || elapsed() > ms * WITH_KILLS) continue;
      killAt += KILL_MS;
      kills.push(elapsed() / 1000);
      await service?.stop('SIGKILL');
      await start();
    }
    isOver = true;
    await Promise.all(working);
    await check('each client got the answers that it must get', () => {
      if (failures.length > 0) throw new Error(failures.join('\n'));
    });
    await check('the worker has compared the files with their list', () => {
      if (!/"compared":"files"/.test(service?.output() ?? '')) throw new Error('The log has no comparison');
    });
    const calm = watch.samples.filter(({ at }) => at > (kills.at(-1) ?? 0) + WARM_S);
    for (const what of ['memory', 'handles'] as const) {
      await check(`${what} of the service stays flat`, () => {
        const grown = growth(calm.map((sample) => sample[what]));
        if (!(grown <= MOST_GROWTH)) throw new Error(`It became ${grown.toFixed(2)} times as large`);
      });
    }
    await audit(clientOf(url), ledger, check);
    return { samples: watch.samples, calm, kills, counts, writes: ledger.writes };
  } finally {
    await service?.stop();
    await remove();
  }
}
