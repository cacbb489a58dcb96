import { setTimeout as later } from 'node:timers/promises';
import { table } from '../../table.ts';
import { npmStart, type Running, started } from '../servers/process.ts';
import { ended, sent } from './requests.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const LATER = { ...JSON_TYPE, Prefer: 'respond-async' };
/** The number of small operations that run one after the other. */
const TIMED = 200;
/** The number of operations that `AT_ONCE` clients send at the same time. */
const MANY = 1000;
const AT_ONCE = 10;
/** Items of one request, whose body has at most 1 MB. */
const BATCH = 10_000;

const body = '{"name":"Ada Byron","age":36}';

const create = (url: string, headers: Record<string, string>, status: number) =>
  sent(`${url}/members`, { method: 'POST', headers, body }, status);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The value that this share of all values does not exceed. */
const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] as number;

async function concurrently(times: number, one: () => Promise<unknown>): Promise<number> {
  let left = times;
  const client = async () => {
    while (left-- > 0) await one();
  };
  return timed(() => Promise.all(Array.from({ length: AT_ONCE }, client)));
}

/** The time from 202 to 303, compared with the same work in a synchronous request. */
async function latency(url: string): Promise<string[][]> {
  const [direct, until, whole]: number[][] = [[], [], []];
  for (let at = 0; at < TIMED; at += 1) {
    direct?.push(await timed(() => create(url, JSON_TYPE, 201)));
    let accepted = 0;
    const all = await timed(async () => {
      let location = '';
      accepted = await timed(async () => {
        ({ location } = await create(url, LATER, 202));
      });
      await ended(url, location);
    });
    until?.push(all - accepted);
    whole?.push(all);
  }
  const row = (what: string, values: readonly number[] = []) => [
    what,
    quantile(values, 0.5).toFixed(1),
    quantile(values, 0.99).toFixed(1),
    (quantile(values, 0.5) / quantile(direct ?? [], 0.5)).toFixed(1),
  ];
  return [
    row('POST, 201', direct),
    row('from 202 to 303', until),
    row('POST with respond-async, until 303', whole),
  ];
}

/** Finished operations per second, if clients send them as fast as the service accepts them. */
async function throughput(server: Running): Promise<string[][]> {
  const { url } = server;
  const direct = await concurrently(MANY, () => create(url, JSON_TYPE, 201));
  const before = server.resident();
  const places: string[] = [];
  const accepted = { ms: 0 };
  const whole = await timed(async () => {
    accepted.ms = await concurrently(MANY, async () => {
      places.push((await create(url, LATER, 202)).location);
    });
    for (const place of places.reverse()) await ended(url, place);
  });
  const rate = (ms: number) => ((MANY / ms) * 1000).toFixed(0);
  return [
    ['POST, 201, per second', rate(direct)],
    ['POST with respond-async, 202, per second', rate(accepted.ms)],
    ['finished operations per second', rate(whole)],
    ['resident MB before and after', `${before.toFixed(0)}, ${server.resident().toFixed(0)}`],
  ];
}

/** Latency and throughput of operations on `npm start`. */
export async function operationTimes(): Promise<{ latency: string; throughput: string }> {
  const server = await started(npmStart('--empty'));
  try {
    await create(server.url, JSON_TYPE, 201);
    return {
      latency: table(
        ['one small operation at a time', 'median, ms', 'p99, ms', '× POST'],
        await latency(server.url),
      ),
      throughput: table([`${MANY} creations by ${AT_ONCE} clients`, 'value'], await throughput(server)),
    };
  } finally {
    await server.stop();
  }
}

/** Memory while operations create and remove many items. It does not depend on their number. */
export async function bulkMemory(items: number): Promise<string> {
  const server = await started(npmStart('--empty'));
  const { url } = server;
  try {
    const rows: string[][] = [];
    const measured = async (what: string, count: number, work: () => Promise<void>) => {
      const before = await server.heap();
      let highest = 0;
      let isOver = false;
      const watching = (async () => {
        while (!isOver) {
          highest = Math.max(highest, server.resident());
          await later(100);
        }
      })();
      const ms = await timed(work);
      isOver = true;
      await watching;
      const grown = ((await server.heap()) - before) / 1024 / 1024;
      rows.push([
        what,
        String(count),
        (ms / 1000).toFixed(1),
        ((count / ms) * 1000).toFixed(0),
        highest.toFixed(0),
        grown.toFixed(1),
      ]);
    };
    const json = JSON.stringify(Array.from({ length: BATCH }, (_, at) => ({ name: `Customer ${at}` })));
    const fill = async () => {
      const { location } = await sent(
        `${url}/customers`,
        { method: 'POST', headers: JSON_TYPE, body: json },
        202,
      );
      await ended(url, location);
    };
    const empty = async () => {
      const { location } = await sent(`${url}/customers`, { method: 'DELETE' }, 202);
      await ended(url, location);
    };
    await measured('create', BATCH, fill);
    await measured('remove', BATCH, empty);
    await measured('create, a request for each 10,000', items, async () => {
      for (let at = 0; at < items; at += BATCH) await fill();
    });
    await measured('remove, by one request', items, empty);
    return table(['customers', 'items', 's', 'items /s', 'highest resident MB', 'heap kept, MB'], rows);
  } finally {
    await server.stop();
  }
}
