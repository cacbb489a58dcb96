import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Client, clientOf } from '../support/client/client.ts';
import { atLeastOne } from '../support/expectations/at-least-one.ts';
import { type Run, run, temporary } from '../support/service/service.ts';

/** How often kill -9 ends the service. `CRASHES=200` repeats the proof at full length, with at least 10,000 writes. */
const CRASHES = Number(process.env.CRASHES ?? 4);
const WRITES = CRASHES * 50;
const WRITERS = 6;
const PACE_MS = 700;

/** An acknowledged version of an item: its name, or a removal. An unanswered write leaves the version unknown. */
type Model = Map<string, Map<number, string | undefined>>;

interface Change {
  readonly subject: string;
  readonly version: number;
  readonly name: string | undefined;
}

/** Sends a request. Undefined: the connection broke, or the service is not ready, and a moment has passed. */
async function answered(send: () => ReturnType<Client>): Promise<Awaited<ReturnType<Client>> | undefined> {
  const answer = await send().catch(() => undefined);
  if (answer && answer.status !== 503) return answer;
  await new Promise((later) => setTimeout(later, 100));
  return undefined;
}

// Specification 16.2, 17.1
test(
  'a reader through crashes sees each version of each item once, in order, with the values that clients wrote',
  async () => {
    const { directory, remove } = await temporary();
    const start = () => run({ directory: join(directory, 'data'), args: ['--empty'] });
    let service: Run = await start();
    const send: Client = (...call) => clientOf(service.url as string)(...call);
    const model: Model = new Map();
    let isDone = false;

    /** Creates, changes, removes and restores items at random. */
    async function write(writer: number): Promise<void> {
      for (let round = 0; !isDone; round += 1) {
        const made = await answered(() =>
          send('POST', '/customers', { json: { name: `${writer} ${round}` } }),
        );
        const path = made?.status === 201 ? String(made.headers.location) : undefined;
        if (path === undefined) continue;
        const versions = new Map<number, string | undefined>([[1, `${writer} ${round}`]]);
        model.set(path, versions);
        let version = 1;
        while (!isDone && Math.random() > 0.1) {
          const name = `${writer} ${round} ${version}`;
          const answer = await answered(() => send('PUT', path, { json: { name } }));
          // The service may have committed an unanswered write.
          if (answer?.status !== 200) break;
          version += 1;
          versions.set(version, name);
        }
        if (Math.random() > 0.5) continue;
        if ((await answered(() => send('DELETE', path)))?.status === 204)
          versions.set(version + 1, undefined);
      }
    }

    const seen: Change[] = [];
    let next = '/changes?resource=customers&limit=50';
    async function read(wait: number): Promise<number> {
      const page = await answered(() => send('GET', next, { headers: { Prefer: `wait=${wait}` } }));
      if (!page) return 1;
      expect(page.status).toBe(200);
      const { items, links } = page.json();
      for (const { subject, sequence, type, data } of items)
        seen.push({
          subject: String(subject),
          version: Number(sequence),
          name: type === 'customer.removed' ? undefined : String((data as { name?: unknown }).name),
        });
      next = links.find(({ rel }) => rel === 'next')?.href ?? '';
      return items.length;
    }

    try {
      const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
      const reader = (async () => {
        while (!isDone) await read(1);
      })();
      const written = () => [...model.values()].reduce((sum, versions) => sum + versions.size, 0);
      for (let crash = 0; crash < CRASHES || written() < WRITES; crash += 1) {
        await new Promise((later) => setTimeout(later, PACE_MS * (0.5 + Math.random())));
        await service.stop('SIGKILL');
        service = await start();
      }
      isDone = true;
      await Promise.all([...writers, reader]);
      while ((await read(2)) > 0);

      const byItem = Map.groupBy(seen, ({ subject }) => subject);
      for (const [subject, changes] of atLeastOne(byItem))
        expect({ subject, versions: changes.map(({ version }) => version) }).toEqual({
          subject,
          versions: changes.map((_, at) => at + 1),
        });
      let compared = 0;
      for (const [path, versions] of atLeastOne(model)) {
        const changes = byItem.get(path) ?? [];
        for (const [version, name] of versions) {
          expect(changes[version - 1]).toEqual({ subject: path, version, name });
          compared += 1;
        }
      }
      expect(compared).toBeGreaterThanOrEqual(WRITES);
      const [path = '', versions] = [...model].sort(([, a], [, b]) => b.size - a.size)[0] ?? [];
      for (const [version, name] of atLeastOne(versions ?? [])) {
        if (name === undefined) continue;
        expect((await send('GET', `${path}/versions/${version}`)).json().name).toBe(name);
      }
    } finally {
      isDone = true;
      await service.stop('SIGKILL');
      await remove();
    }
  },
  60_000 + CRASHES * 15_000,
);
