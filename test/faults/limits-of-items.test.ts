import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { resourceOf } from '../engines/attached.ts';
import { collectLog } from '../engines/collected-log.ts';
import { type Harness, startHarness } from './harness.ts';
import { type Extent, type Fault, Network, type Plan } from './network.ts';
import { expectOnce, MERGE, made, named } from './scenarios/scenario.ts';

/*
 * Makes each engine call of writes under a limit fail. The place is then of one item or free, and never held by an
 * item that does not exist.
 */
const WAYS: readonly (readonly [Fault, Extent])[] = [
  ['error', 'call'],
  ['lost', 'attempt'],
  ['lost', 'call'],
  ['late', 'attempt'],
  ['conflict', 'call'],
];

const network = new Network();
let stand: Harness;
let tags = 0;

beforeAll(async () => {
  collectLog();
  // In this file, one member has a name. Each test file has modules of its own.
  Object.assign(resourceOf('members'), { atMost: [{ count: 1, of: ['name'], says: 'One has it' }] });
  stand = await startHarness(network.to);
});
afterAll(() => stand.close());

/** Sends a request under a fault. Returns whether it succeeded, and the number of engine calls. */
async function asked(
  plan: Plan | undefined,
  act: () => Promise<unknown>,
): Promise<{ isDone: boolean; calls: number }> {
  network.arm(plan);
  const answer = await act();
  const { calls } = await network.disarm();
  await stand.settle();
  return { isDone: answer !== undefined, calls };
}

/** True if a new member can take the name. */
const isFree = async (name: string): Promise<boolean> => {
  const { status } = await stand.client('POST', '/members', { json: { name } });
  expect([201, 409]).toContain(status);
  return status === 201;
};

type Write = (name: string, plan?: Plan) => Promise<number>;

const create: Write = async (name, plan) => {
  const { isDone, calls } = await asked(plan, () => stand.ask('POST', '/members', { json: { name } }, 201));
  const { length } = await named(stand, 'members', name);
  expectOnce(isDone, length);
  expect(await isFree(name)).toBe(length === 0);
  return calls;
};

const change: Write = async (name, plan) => {
  const path = await made(stand, '/members', { name });
  const sent = { json: { name: `${name} new` }, headers: MERGE };
  const { isDone, calls } = await asked(plan, () => stand.ask('PATCH', path, sent, 200));
  const after = (await stand.client('GET', path)).json().name;
  if (isDone) expect(after).toBe(`${name} new`);
  expect(await isFree(name)).toBe(after !== name);
  expect(await isFree(`${name} new`)).toBe(after === name);
  return calls;
};

const remove: Write = async (name, plan) => {
  const path = await made(stand, '/members', { name });
  const { isDone, calls } = await asked(plan, () => stand.ask('DELETE', path, {}, 204));
  const { status } = await stand.client('GET', path);
  if (isDone) expect(status).toBe(404);
  expect(await isFree(name)).toBe(status === 404);
  return calls;
};

test.each([
  ['POST', create],
  ['PATCH', change],
  ['DELETE', remove],
])(
  '%s takes or frees a place under a limit exactly if it writes the item, whichever engine call fails',
  async (_, write) => {
    const name = () => {
      tags += 1;
      return `limit-${tags}-`;
    };
    const calls = await write(name());
    expect(calls).toBeGreaterThan(0);
    for (let nth = 1; nth <= calls; nth += 1)
      for (const [fault, extent] of WAYS) await write(name(), { fault, extent, nth });
  },
  60_000,
);
