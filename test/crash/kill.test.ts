import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Body, type Client, clientOf } from '../support/client/client.ts';
import { eventually } from '../support/eventually.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { type Run, run, temporary } from '../support/service/service.ts';

/**
 * Kills the whole service during writes, repeatedly. All acknowledged data must exist afterwards, and items,
 * indexes, files and their listing must agree. KILL_ROUNDS sets the number of rounds, and SEED repeats a run.
 */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 3);
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const WRITERS = 4;
/** Answers of each round before the kill, so that a slow machine also has writes to keep. */
const ANSWERS = 8;

const digest = (bytes: Buffer) => `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;

/** The expected state of an item: its acknowledged content, or the content of a later unacknowledged write. */
interface Expected {
  readonly allowed: Set<string | undefined>;
}

let directory: Awaited<ReturnType<typeof temporary>>;
const members = new Map<string, Expected>();
const files = new Map<string, Expected>();
const next = randomNumbers(SEED);

/** Before a write both contents are possible. After its acknowledgement only the new one is. */
async function written(
  known: Map<string, Expected>,
  path: string,
  content: string | undefined,
  write: () => Promise<Answer>,
): Promise<void> {
  const before = known.get(path)?.allowed ?? new Set([undefined]);
  known.set(path, { allowed: new Set([...before, content]) });
  const { status } = await write();
  expect([200, 201, 204]).toContain(status);
  known.set(path, { allowed: new Set([content]) });
}

/** One writer, which writes under its own names until the service is gone. */
async function write(client: Client, writer: number, round: number): Promise<void> {
  const own: string[] = [];
  for (let turn = 0; ; turn += 1) {
    const content = `${round}-${writer}-${turn}`;
    const file = `/files/${writer}-${Math.floor(next() * 5)}`;
    const choice = next();
    if (choice < 0.3) {
      const { headers } = await client('POST', '/members', { json: { name: content } });
      const path = headers.location as string;
      own.push(path);
      members.set(path, { allowed: new Set([content]) });
    } else if (choice < 0.5 && own.length > 0) {
      const path = own[Math.floor(next() * own.length)] as string;
      await written(members, path, content, () => client('PUT', path, { json: { name: content } }));
    } else if (choice < 0.6 && own.length > 0) {
      const path = own.pop() as string;
      await written(members, path, undefined, () => client('DELETE', path));
    } else if (choice < 0.7 && own.length > 0) {
      const path = own[Math.floor(next() * own.length)] as string;
      const body = Buffer.from(content.repeat(1 + Math.floor(next() * 2000)));
      const headers = { 'Content-Type': 'image/png' };
      expect([200, 201]).toContain((await client('PUT', `${path}?fields=photo`, { body, headers })).status);
    } else if (choice < 0.9 || !files.get(file)?.allowed.size || files.get(file)?.allowed.has(undefined)) {
      const body = Buffer.from(content.repeat(1 + Math.floor(next() * 5000)));
      await written(files, file, digest(body), () => client('PUT', file, { body }));
    } else await written(files, file, undefined, () => client('DELETE', file));
  }
}

async function all(client: Client, list: string): Promise<Body[]> {
  const items: Body[] = [];
  let page: string | undefined = list;
  while (page !== undefined) {
    const answer: Answer = await client('GET', page);
    expect(answer.status).toBe(200);
    items.push(...answer.json().items);
    page = answer.json().links.find(({ rel }) => rel === 'next')?.href;
  }
  return items;
}

/**
 * Checks that all acknowledged data exists, every order of a list has the same items, and every listed file and photo
 * has its bytes.
 */
async function verify(client: Client): Promise<void> {
  const listed = await all(client, '/members?limit=1000');
  for (const sort of ['name', '-name', 'age', 'username']) {
    const sorted = await all(client, `/members?limit=1000&sort=${sort}`);
    expect(new Set(sorted.map(({ id }) => id))).toEqual(new Set(listed.map(({ id }) => id)));
    expect(sorted).toHaveLength(listed.length);
  }
  const names = new Map(listed.map((item) => [`/members/${item.id}`, item.name]));
  const wrong: unknown[] = [];
  for (const [path, { allowed }] of members) {
    const name = names.get(path) as string | undefined;
    if (!allowed.has(name)) wrong.push([path, name, ...allowed]);
    members.set(path, { allowed: new Set([name]) });
  }
  // Specification 2.29
  for (const { photo } of listed) {
    if (!photo) continue;
    const shown = photo as { readonly href: string; readonly digest: string };
    const { status, bytes } = await client('GET', shown.href);
    if (status !== 200 || digest(bytes) !== shown.digest) wrong.push([shown, status, digest(bytes)]);
  }
  const rows = new Map(
    (await all(client, '/files?limit=1000')).map((item) => [`/files/${item.filename}`, item]),
  );
  for (const [path, { allowed }] of files) {
    const { status, bytes } = await client('GET', path);
    const found = status === 404 ? undefined : digest(bytes);
    if (!allowed.has(found)) wrong.push([path, found, ...allowed]);
    const row = rows.get(path);
    const size = found === undefined ? undefined : bytes.length;
    if (row?.digest !== found || row?.size !== size) wrong.push([path, row, found, size]);
    files.set(path, { allowed: new Set([found]) });
  }
  expect(wrong).toEqual([]);
}

const started = async (): Promise<Run & { url: string }> => {
  const service = await run({ directory: join(directory.directory, 'data'), args: ['--empty'] });
  if (service.url === undefined) throw new Error(service.output());
  return { ...service, url: service.url };
};

describe(`a service that is killed ${ROUNDS} times during writes (SEED=${SEED})`, () => {
  beforeAll(async () => {
    directory = await temporary();
  });
  afterAll(() => directory.remove());

  for (let round = 0; round < ROUNDS; round += 1) {
    test(`recovers in round ${round + 1}`, async () => {
      const service = await started();
      const client = clientOf(service.url);
      await verify(client);
      let answers = 0;
      const counting: Client = async (...request) => {
        const answer = await client(...request);
        answers += 1;
        return answer;
      };
      const writers = Array.from({ length: WRITERS }, (_, writer) =>
        write(counting, writer, round).catch((error: NodeJS.ErrnoException) => {
          // The service is gone. Any other error is a failure of the test.
          if (!/ECONN|EPIPE|socket hang up|aborted/.test(`${error.code} ${error.message}`)) throw error;
        }),
      );
      await eventually(async () => expect(answers).toBeGreaterThanOrEqual(ANSWERS), 5);
      await new Promise((later) => setTimeout(later, next() * 400));
      await service.stop('SIGKILL');
      await Promise.all(writers);
    }, 60_000);
  }

  test('keeps everything that it acknowledged', async () => {
    const service = await started();
    await verify(clientOf(service.url));
    expect(members.size + files.size).toBeGreaterThan(0);
    await service.stop();
  }, 60_000);
});
