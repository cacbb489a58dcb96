import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { table } from '../table.ts';
import { LIMITS } from './limits.ts';
import { type Length, lengthOf, returnsIn } from './measured.ts';
import { allWalks, forget, record } from './recording.ts';

/**
 * `npm run lab -- walk` prints the way of five requests through the files of the service. `--check` fails if a way is
 * longer than its limit. `--files` prints the files of each way in their order, and `--returns` its returns.
 */
record();
// The first round reads the inventories of the tables. A deployed function reads them every ten seconds.
process.env.INVENTORY_SECONDS = '60';
const { start } = await import('../../local/service.ts');
const { readOptions } = await import('../../local/options.ts');

const directory = mkdtempSync(join(tmpdir(), 'resource-api-walk-'));
const service = await start(readOptions(['--empty'], { DATA_DIR: directory, PORT: '0' }));

interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
/** The time between two looks for the walk of a background function, in ms. */
const LOOK_MS = 250;
const JSON_TYPE = { 'Content-Type': 'application/json' };

async function send({ method, path, ...rest }: SentRequest): Promise<Headers> {
  const response = await fetch(service.url + path, { method, ...rest });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
  return response.headers;
}

const create = async (path: string, item: object): Promise<string> =>
  (await send({ method: 'POST', path, headers: JSON_TYPE, body: JSON.stringify(item) })).get('Location') ??
  '';

/** Sends the request and waits until the background function with this name has run. Returns the longest walks. */
async function walksOf(sent: SentRequest, background?: string): Promise<readonly Length[]> {
  forget();
  await send(sent);
  const named = (name: string) => allWalks().filter((walk) => walk.name === name);
  for (let looks = 0; looks < 300; looks += 1) {
    await pause(LOOK_MS);
    if (background === undefined || named(`functions/${background}/handler.ts`).length > 0) break;
  }
  // A walk grows until its function has ended.
  if (background !== undefined) await pause(4 * LOOK_MS);
  const own = named(`${sent.method} ${sent.path}`);
  const all = background === undefined ? own : [...own, ...named(`functions/${background}/handler.ts`)];
  for (const walk of all) {
    if (process.argv.includes('--files')) console.log([walk.name, ...new Set(walk.entries)].join('\n  '));
    if (process.argv.includes('--returns')) console.log([walk.name, ...returnsIn(walk)].join('\n  '));
  }
  return all.map(lengthOf);
}

const found = new Map<string, Length>();
try {
  // The first round loads the modules that a request needs. The second one is measured.
  for (let round = 0; round < 2; round += 1) {
    const member = await create('/members', { name: 'Ada', age: 36 });
    const customer = await create('/customers', { name: 'Acme' });
    const order = await create(`${customer}/orders`, { productId: 1, orderValue: 9.9 });
    const etag = (await send({ method: 'GET', path: customer })).get('ETag') ?? '';
    const patch = { 'Content-Type': 'application/merge-patch+json', 'If-Match': etag };
    const file = { 'Content-Type': 'text/plain' };
    const walks: readonly (readonly [names: readonly string[], sent: SentRequest, background?: string])[] = [
      [['GET item'], { method: 'GET', path: member }],
      [['PATCH item'], { method: 'PATCH', path: customer, headers: patch, body: '{"name":"Apex"}' }],
      [
        ['POST nested item'],
        {
          method: 'POST',
          path: `${customer}/orders`,
          headers: JSON_TYPE,
          body: '{"productId":1,"orderValue":5}',
        },
      ],
      [
        ['PUT file', 'uploads function'],
        { method: 'PUT', path: `/files/walk-${round}`, headers: file, body: 'hello' },
        'uploads',
      ],
      [
        ['POST pay, respond-async', 'worker'],
        { method: 'POST', path: `${order}/pay`, headers: { Prefer: 'respond-async' } },
        'worker',
      ],
    ];
    for (const [names, sent, background] of walks) {
      const lengths = await walksOf(sent, background);
      for (const [at, name] of names.entries()) {
        const length = lengths[at];
        if (!length) throw new Error(`${name} was not seen`);
        found.set(name, length);
      }
    }
  }
} finally {
  await service.stop();
  rmSync(directory, { recursive: true });
}

let isLonger = false;
const rows = [...found].map(([name, { entries, files, moves, returns }]) => {
  const limit = LIMITS[name] ?? { files: 0, returns: 0 };
  isLonger ||= files > limit.files || returns > limit.returns;
  return [name, ...[entries, files, limit.files, moves, returns, limit.returns].map(String)];
});
console.log(table(['way', 'entries', 'files', 'at most', 'moves', 'returns', 'at most'], rows));
if (isLonger) console.log('\nA way is longer than its limit in lab/walk/limits.ts.');
process.exit(isLonger && process.argv.includes('--check') ? 1 : 0);
