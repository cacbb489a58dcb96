import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ASSUMED } from '../../../tools/cost/assumptions.ts';
import { billOf, NOTHING } from '../../../tools/cost/bill.ts';

const ROOT = join(import.meta.dirname, '../../..');
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const page = readFileSync(join(ROOT, 'docs/cost.md'), 'utf8');
const decision = readFileSync(join(ROOT, 'docs/decisions/0052-sign-in-on-pages.md'), 'utf8');

/** The cells of the row of docs/cost.md that begins with this text. */
function cells(begin: string): readonly string[] {
  const row = page.split('\n').find((line) => line.startsWith(`| ${begin}`)) ?? '';
  return row.slice(1).replaceAll('*', '').split('|');
}

test('the README has the costs of docs/cost.md: a million reads, and a month without requests, also of production', () => {
  const [, usual, , production] = cells('**together**');
  const stated = [...readme.matchAll(/about \$ (\d+)/g)].map(([, dollars]) => Number(dollars));
  expect(stated).toEqual([usual, production].map((one) => Math.round(Number(one))));
  expect(Number(usual)).toBeLessThan(5);
  expect(readme).toContain(
    `a million reads of an item cost $ ${/^\| GET item \| \*\*([\d.]+)/m.exec(page)?.[1]}.`,
  );
});

test('decision 52 says what the sign-in on pages adds to a million requests', () => {
  const [cached, each] = [0.9, 0].map(
    (knownCallers) => billOf({ ...NOTHING, requests: 1 }, { ...ASSUMED, knownCallers }, 0).authorizer,
  ) as [number, number];
  expect(decision).toContain(`$ ${((each - cached) * 1_000_000).toFixed(2)} more`);
});
