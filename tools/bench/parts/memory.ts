import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { node, started } from '../servers/process.ts';
import { table } from '../table.ts';

const CONNECTIONS = 10;
const autocannon = join(import.meta.dirname, '../node_modules/autocannon/autocannon.js');
const MEMBER = '{"name":"Ada Byron","age":36}';

async function createdId(url: string): Promise<string> {
  const answer = await fetch(`${url}/members`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: MEMBER,
  });
  return String(((await answer.json()) as { id: number }).id);
}

/** Memory of `npm start` after 10,000 requests, and the memory that stays after requests with files of 4 MiB. */
export async function memory(): Promise<string> {
  const server = await started(node('local/start.mjs'));
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
