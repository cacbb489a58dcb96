import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, clientOf } from '../support/client/client.ts';
import { eventually } from '../support/eventually.ts';
import { atLeastOne } from '../support/expectations/at-least-one.ts';
import { type Run, run, temporary } from '../support/service/service.ts';
import { receiving } from './received.ts';

/**
 * Kills the service between write and delivery. Every acknowledged change has its event after the restart.
 * KILL_ROUNDS sets the number of rounds.
 */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 3);
const WRITERS = 4;

let place: Awaited<ReturnType<typeof temporary>>;
/** Acknowledged versions: `/members/5 0000000002`. */
const acknowledged: string[] = [];

beforeAll(async () => {
  place = await temporary();
});
afterAll(() => place.remove());

const started = async (): Promise<Run & { url: string; directory: string }> => {
  const directory = join(place.directory, 'data');
  const service = await run({ directory, args: ['--empty'] });
  if (service.url === undefined) throw new Error(service.output());
  return { ...service, url: service.url, directory };
};

const padded = (version: number) => String(version).padStart(10, '0');

/** Creates a member and changes it until the service is gone. */
async function write(send: Client): Promise<void> {
  const { headers } = await send('POST', '/members', { json: { age: 0 } });
  const path = headers.location as string;
  acknowledged.push(`${path} ${padded(1)}`);
  for (let version = 2; ; version += 1) {
    const { status } = await send('PUT', path, { json: { age: version } });
    expect(status).toBe(200);
    acknowledged.push(`${path} ${padded(version)}`);
  }
}

describe(`a service that is killed ${ROUNDS} times`, () => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    test(`recovers in round ${round}`, async () => {
      const service = await started();
      const send = clientOf(service.url);
      const writers = Array.from({ length: WRITERS }, () =>
        write(send).catch((error: NodeJS.ErrnoException) => {
          if (!/ECONN|EPIPE|socket hang up|aborted/.test(`${error.code} ${error.message}`)) throw error;
        }),
      );
      // A slow machine also has changes to publish.
      await eventually(async () => expect(acknowledged.length).toBeGreaterThan(round * 2 * WRITERS), 5);
      await new Promise((later) => setTimeout(later, round * 150));
      await service.stop('SIGKILL');
      await Promise.all(writers);
    }, 60_000);
  }

  test('publishes every acknowledged change with one id, in order per subject', async () => {
    const service = await started();
    const send = clientOf(service.url);
    const stream = receiving(service.directory);
    const { headers } = await send('POST', '/members', { json: { name: 'end' } });
    await stream.until(({ subject }) => subject === headers.location);
    const ids = new Map<string, string>();
    const subjects = new Map<string, string[]>();
    for (const { id, subject, sequence } of atLeastOne(stream.events)) {
      const name = `${subject} ${sequence}`;
      if (ids.has(name)) expect(ids.get(name)).toBe(id);
      else subjects.set(subject, [...(subjects.get(subject) ?? []), sequence]);
      ids.set(name, id);
    }
    expect(acknowledged.filter((name) => !ids.has(name))).toEqual([]);
    for (const sequences of atLeastOne(subjects.values()))
      expect(sequences).toEqual(sequences.map((_, at) => padded(at + 1)));
    await stream.stop();
    await service.stop();
  }, 60_000);
});
