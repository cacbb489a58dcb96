import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Follower, namesOf } from '../data/follower.ts';
import type { ReleaseName } from '../fixtures/releases/gadgets.ts';
import { type Client, clientOf } from '../support/client/client.ts';
import { eventually } from '../support/eventually.ts';
import { run, temporary } from '../support/service/service.ts';
import { withFixture } from '../support/service/with-fixture.ts';

let place: Awaited<ReturnType<typeof temporary>>;
beforeAll(async () => {
  place = await temporary();
});
afterAll(() => place.remove());

/** Sends requests to a release, which ends after them. */
async function on(release: ReleaseName, use: (send: Client) => Promise<unknown>): Promise<void> {
  const environment = { ...withFixture('releases'), GADGETS: release };
  const service = await run({ directory: place.directory, args: ['--empty'], environment });
  try {
    await use(clientOf(service.url as string));
  } finally {
    await service.stop();
  }
}

let count = 0;

/** Creates a gadget, changes one and removes one. */
async function write(send: Client): Promise<void> {
  const create = async () => {
    count += 1;
    const { status, headers } = await send('POST', '/gadgets', { json: { name: `Gadget ${count}` } });
    expect(status).toBe(201);
    return String(headers.location);
  };
  const [changed = '', removed = ''] = (await namesOf(send, 'gadgets')).keys();
  await create();
  if (removed === '') return;
  count += 1;
  const json = { name: `Changed ${count}` };
  expect((await send('PUT', changed, { json })).status).toBe(200);
  expect((await send('DELETE', removed)).status).toBe(204);
}

/** Each pair of releases, with writes in the first one, in the second one, in both and in none. */
const STEPS = [
  ...['with', 'with, written', 'without, written', 'with', 'without', 'with', 'without, written'],
  ...['with, written', 'with', 'with, written', 'without', 'without, written', 'without', 'with, written'],
  ...['without', 'with', 'with'],
] as const;

// Specification 17.7
test('a follower of a collection whose history goes and returns has its items, or gets 410', async () => {
  const followers: Follower[] = [];
  let isWhole = true;
  for (const step of STEPS) {
    const isFollowed = step.startsWith('with,') || step === 'with';
    await on(isFollowed ? 'with history' : 'first', async (send) => {
      const before = followers.map(({ gone }) => gone);
      if (step.endsWith('written')) await write(send);
      if (!isFollowed) {
        isWhole = false;
        return;
      }
      const items = await namesOf(send, 'gadgets');
      await eventually(async () => {
        const followed: unknown[] = [];
        for (const one of followers) followed.push((await one.follow(send)).names);
        expect(followed).toEqual(followers.map(() => items));
      });
      // Without a release between that skips changes, no follower has to begin again.
      if (isWhole) expect(followers.map(({ gone }) => gone)).toEqual(before);
      followers.push(await new Follower('gadgets').begin(send));
      isWhole = true;
    });
  }
  // The last two began after the last release without history.
  expect(followers.map(({ gone }) => gone > 0)).toEqual([...Array(8).fill(true), false, false]);
}, 120_000);
