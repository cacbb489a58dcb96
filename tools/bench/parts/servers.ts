import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { table } from '../table.ts';
import { type Running, started } from './process.ts';

const SECONDS = 4;
const CONNECTIONS = 10;
const autocannon = join(import.meta.dirname, '../node_modules/autocannon/autocannon.js');
const MEMBER = '{"name":"Ada Byron","age":36}';

interface Load {
  readonly requests: { readonly average: number };
  readonly non2xx: number;
}

/** Measures the requests per second of a local URL for a few seconds. */
function load(url: string, args: readonly string[] = []): number {
  const output = execFileSync(
    process.execPath,
    [autocannon, '-j', '-d', String(SECONDS), '-c', String(CONNECTIONS), ...args, url],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const { requests, non2xx } = JSON.parse(output) as Load;
  if (non2xx > 0) throw new Error(`${url}: ${non2xx} answers were no success`);
  return requests.average;
}

async function createdId(url: string): Promise<string> {
  const answer = await fetch(`${url}/members`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: MEMBER,
  });
  return String(((await answer.json()) as { id: number }).id);
}

const PEERS = [
  ['resource-api, npm start', 'local/start.mjs'],
  ['Fastify on the same embedded DynamoDB', 'tools/bench/servers/fastify.mjs'],
  ['json-server', 'tools/bench/servers/json-server.cjs'],
] as const;

/** Requests per second and memory of several servers. */
export async function servers(): Promise<string> {
  const running: Running[] = [];
  const rows: string[][] = [];
  let own: number[] = [];
  try {
    for (const [name, script] of PEERS) {
      const server = await started(script);
      running.push(server);
      for (let at = 0; at < 25; at += 1) await createdId(server.url);
      const item = `${server.url}/members/${await createdId(server.url)}`;
      const post = ['-m', 'POST', '-H', 'Content-Type=application/json', '-b', MEMBER];
      const rates = [
        load(item),
        load(`${server.url}/members?limit=25&_limit=25`),
        load(`${server.url}/members`, post),
      ];
      if (own.length === 0) own = rates;
      rows.push([
        name,
        ...rates.flatMap((rate, at) => [rate.toFixed(0), (rate / (own[at] ?? 1)).toFixed(2)]),
        server.resident().toFixed(0),
      ]);
      await server.stop();
      running.pop();
    }
  } finally {
    for (const server of running) await server.stop();
  }
  return table(
    ['server', 'GET item /s', '×', 'list of 25 /s', '×', 'POST /s', '×', 'resident MB after'],
    rows,
  );
}

/** Memory of `npm start` after 10,000 requests, and the memory that stays after requests with files of 4 MiB. */
export async function memory(): Promise<string> {
  const server = await started('local/start.mjs');
  try {
    const item = `${server.url}/members/${await createdId(server.url)}`;
    execFileSync(process.execPath, [autocannon, '-j', '-a', '10000', '-c', String(CONNECTIONS), item], {
      stdio: 'ignore',
    });
    const resident = server.resident();
    const file = `${server.url}/files/four-mebibytes`;
    const bytes = randomBytes(4 * 1024 * 1024);
    const put = async () => (await fetch(file, { method: 'PUT', body: bytes })).arrayBuffer();
    const get = async () => (await fetch(file)).arrayBuffer();
    const grown = async (transfer: () => Promise<ArrayBuffer>) => {
      for (let at = 0; at < 3; at += 1) await transfer();
      const before = await server.heap();
      for (let at = 0; at < 20; at += 1) await transfer();
      return (await server.heap()) - before;
    };
    const kilobytes = (value: number) => (value / 1024).toFixed(0);
    return table(
      ['what', 'value'],
      [
        ['resident memory after 10,000 requests, MB', resident.toFixed(0)],
        ['growth of heap and buffers after 20 more PUTs of 4 MiB, KB', kilobytes(await grown(put))],
        ['growth of heap and buffers after 20 more GETs of 4 MiB, KB', kilobytes(await grown(get))],
      ],
    );
  } finally {
    await server.stop();
  }
}
