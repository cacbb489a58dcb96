import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { command } from '../support/service/command.ts';
import { withFixture } from '../support/service/with-fixture.ts';

/** Runs `npm run tool -- cost` in a process of its own, as an operator does. */

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENT = readFileSync(join(ROOT, 'docs/cost.md'), 'utf8');

async function cost(args: readonly string[] = [], environment = {}) {
  const { code, log } = await command(process.execPath, ['tools/main.ts', 'cost', ...args], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
  });
  const rows = log.split('\n').flatMap((line) => {
    const [, name = '', value] = /^ *(.*?) +([\d.,]+)$/.exec(line) ?? [];
    return value === undefined ? [] : [[name, Number(value)] as const];
  });
  return { code, log, prices: new Map(rows) };
}

/** The price of a million requests of a kind in docs/cost.md. */
const documented = (kind: string): number =>
  Number(new RegExp(`^\\| ${kind} \\| \\*\\*([\\d.]+)\\*\\*`, 'm').exec(DOCUMENT)?.[1]);

/** The monthly prices in docs/cost.md: of the default, without observability, and of production. */
const [usual, none, production] = (/^\| \*\*together\*\* \|(.*)$/m.exec(DOCUMENT)?.[1] ?? '')
  .split('|')
  .map((cell) => Number(/[\d.]+/.exec(cell)?.[0]));

test('the prices of requests are those of docs/cost.md, also for resources of other services', async () => {
  const { code, log, prices } = await cost([], withFixture('ruled'));
  expect({ code, log }).toMatchObject({ code: 0, log: expect.not.stringContaining('not counted') });
  expect(prices.get('$ a month without requests')).toBe(usual);
  // The items of the document are larger by some bytes, and its requests have a token.
  for (const [row, kind] of [
    ['POST /members', 'POST item'],
    ['GET /members/{id}', 'GET item'],
    ['PATCH /members/{id}', 'PATCH item'],
    ['DELETE /members/{id}', 'DELETE item'],
    ['DELETE /orders/{id}', 'DELETE item'],
  ] as const)
    expect([row, Math.abs((prices.get(row) ?? 0) / documented(kind) - 1) < 0.04]).toEqual([row, true]);
  for (const row of ['POST /cards', 'POST /labels', 'POST /orders/{id}/pay'])
    expect([row, (prices.get(row) ?? 0) > documented('GET item')]).toEqual([row, true]);
}, 60_000);

test.each([
  [['-c', 'observability=none', '-c', 'deployment=all-at-once'], none],
  [['-c', 'observability=full', '-c', 'waf=block'], production],
])(
  '%j change the price at rest, and count all units',
  async (args, price) => {
    const { prices } = await cost(args);
    expect(prices.get('$ a month without requests')).toBe(price);
    // The log of metrics and the firewall cost more, and units the same.
    expect(prices.get('DELETE /members/{id}')).toBeGreaterThan(0.95 * documented('DELETE item'));
  },
  60_000,
);

test.each([
  [['-c', 'observe=full'], 'There is no option observe'],
  [['-c', 'observability=loud'], 'observability must be'],
  [['-c', 'observability'], "'observability' must have the form"],
  [['--quick'], 'cost [-c OPTION=VALUE]'],
])('refuses %j', async (args, says) => {
  const { code, log } = await cost(args);
  expect({ code, says: log.includes(says) }).toEqual({ code: 2, says: true });
});
