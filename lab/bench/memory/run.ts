import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningEngines, runningEngines } from '../../../local/running.ts';
import { dollars } from '../../cost/model/prices.ts';
import { eventOf } from '../../events.ts';
import { environment } from '../../sam/environment.ts';
import { table } from '../../table.ts';
import { deployed } from '../functions/cold-start.ts';
import { OUT } from '../functions/starts.ts';
import { sent } from '../parts/requests.ts';
import { npmStart, started } from '../servers/process.ts';
import { type Known, type Named, requestsOf } from './requests.ts';
import { shareOf } from './share.ts';

/**
 * `npm run bench -- memory` runs bundles with the processor share that Lambda gives a function of some size, against
 * the engines of `npm start`. It prints times, processor times and memory of small and of the largest requests.
 */
const SIZES = [128, 256, 512, 1024] as const;
/** Warm calls of the small request of a function. */
const WARM = 200;
/** New processes for the cold start of each function and size. */
const STARTS = 3;

/** Share of the memory for the old and the new generation of V8, about as in Lambda's runtime for Node. */
const heapOf = (memoryMb: number): readonly string[] => [
  `--max-old-space-size=${Math.floor(memoryMb * 0.85)}`,
  `--max-semi-space-size=${Math.max(1, Math.floor(memoryMb * 0.05))}`,
];

interface Called {
  readonly ms: readonly number[];
  readonly status: number;
  readonly bytes: number;
  readonly processorMs: number;
  readonly peak: number;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** A function in a process of its own. */
class Instance {
  readonly #child;
  readonly #share;

  constructor(path: string, memoryMb: number, engines: RunningEngines) {
    this.#share = shareOf(memoryMb);
    const { url, credentials } = engines;
    this.#child = fork(join(import.meta.dirname, 'function.mjs'), [path, this.#share.procs], {
      execArgv: [...heapOf(memoryMb)],
      env: {
        PATH: process.env.PATH,
        ...environment(url, url).Parameters,
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      },
    });
  }

  /** Time of the import in ms. */
  async imported(): Promise<number> {
    return ((await this.#answer()) as { imported: number }).imported;
  }

  async call(event: string, calls: number): Promise<Called> {
    this.#child.send({ event, calls });
    return (await this.#answer()) as Called;
  }

  async end(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
    this.#share.remove();
  }

  #answer(): Promise<unknown> {
    return new Promise((done, failed) => {
      const died = (code: number | null) => failed(new Error(`The function ended with ${code}`));
      this.#child.once('exit', died);
      this.#child.once('message', (message) => {
        this.#child.off('exit', died);
        done(message);
      });
    });
  }
}

const small: string[][] = [];
const large: string[][] = [];

/** Measures a function with one size. */
async function measure(name: string, memoryMb: number, all: readonly Named[], engines: RunningEngines) {
  const { path } = await deployed(name);
  const events = all.map((one, at) => {
    const file = join(OUT, `event-${name}-${at}.json`);
    writeFileSync(file, JSON.stringify(eventOf(one)));
    return file;
  });
  const imports: number[] = [];
  const firsts: number[] = [];
  for (let at = 0; at < STARTS; at += 1) {
    const instance = new Instance(path, memoryMb, engines);
    try {
      imports.push(await instance.imported());
      const first = await instance.call(events[0] as string, 1);
      firsts.push(first.ms[0] as number);
      if (at < STARTS - 1) continue;
      const warm = await instance.call(events[0] as string, WARM);
      const seconds = (memoryMb / 1024) * (Math.ceil(median(warm.ms)) / 1000);
      small.push([
        name,
        String(memoryMb),
        median(imports).toFixed(0),
        median(firsts).toFixed(0),
        median(warm.ms).toFixed(1),
        (warm.ms.toSorted((a, b) => a - b)[Math.floor(WARM * 0.99)] as number).toFixed(0),
        warm.processorMs.toFixed(2),
        warm.peak.toFixed(0),
        String(first.status),
        ((dollars('invocations', 1) + dollars('armSeconds', seconds)) * 1_000_000).toFixed(2),
      ]);
      for (const [index, { name: request }] of all.entries()) {
        if (index === 0) continue;
        const { ms, status, bytes, peak } = await instance.call(events[index] as string, 3);
        const cells = [median(ms).toFixed(0), Math.max(...ms).toFixed(0), peak.toFixed(0)];
        large.push([name, request, String(memoryMb), String(status), (bytes / 1024).toFixed(0), ...cells]);
      }
    } finally {
      await instance.end();
    }
  }
}

/** Adds 1,000 small members, 75 members of 240 KB, and 100 orders with customers and products of 240 KB. */
async function seeded(url: string): Promise<Known> {
  const headers = { 'Content-Type': 'application/json' };
  const create = async (path: string, item: object) => {
    const { location } = await sent(url + path, { method: 'POST', headers, body: JSON.stringify(item) }, 201);
    return location.split('/').at(-1) as string;
  };
  const about = 'a'.repeat(240_000);
  let member = '';
  let order = '';
  for (let at = 0; at < 1000; at += 1) member = await create('/members', { name: 'Ada', age: 36 });
  for (let at = 0; at < 75; at += 1) await create('/members', { name: 'Ada', about });
  for (let at = 0; at < 100; at += 1) {
    const customer = await create('/customers', { name: 'Acme', about });
    const product = await create('/products', { name: 'Anvil', price: 9.9, about });
    order = await create(`/customers/${customer}/orders`, { productId: Number(product), orderValue: 9.9 });
  }
  return { member, order };
}

mkdirSync(OUT, { recursive: true });
const server = await started(npmStart('--empty'));
try {
  const engines = runningEngines({ DATA_DIR: server.data });
  if (!engines) throw new Error('npm start has not written the address of its engines');
  const known = await seeded(server.url);
  for (const [name, all] of Object.entries(requestsOf(known)))
    for (const size of SIZES) await measure(name, size, all, engines);
} finally {
  await server.stop();
}

const heads = [
  'function',
  'MB',
  'import',
  'first call',
  'warm call',
  'p99',
  'CPU',
  'peak MB',
  'status',
  '$ a million',
];
console.log(`Times in ms. The import has a whole processor.\n\n${table(heads, small)}\n`);
console.log(table(['function', 'request', 'MB', 'status', 'KB', 'ms', 'slowest ms', 'peak MB'], large));
