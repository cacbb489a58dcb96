import { expect, test } from '@jest/globals';
import { atLeastOne } from '../support/expectations/at-least-one.ts';
import { below, linesWith, sources } from './sources.ts';

const STEPS = 'shared/flow/steps';

test('no step of the flow imports another step', () => {
  const arrows = below(STEPS).flatMap(({ path, imports }) =>
    imports.filter((name) => name.startsWith(`${STEPS}/`)).map((name) => `${path} → ${name}`),
  );
  expect(arrows).toEqual([]);
});

test('every module in the folder of steps declares one step, and no other module does', () => {
  const declares = ({ path, code }: (typeof sources)[number]) =>
    path.startsWith('shared/') && /=\s*step</.test(code);
  const modules = sources.filter(declares).map(({ path }) => path);
  expect(modules.sort()).toEqual(
    below(STEPS)
      .map(({ path }) => path)
      .sort(),
  );
  for (const one of atLeastOne(below(STEPS))) expect(linesWith(one, /=\s*step</)).toHaveLength(1);
});

test('only the runner of the flow writes to the exchange', () => {
  const writes = /\bexchange\.\w+(?:\.\w+)* (?:\?\?|\|\|)?= |\bapplied\.push\(|\bObject\.assign\(exchange\b/;
  const writers = below('shared/flow').filter((one) => linesWith(one, writes).length > 0);
  expect(writers.map(({ path }) => path)).toEqual(['shared/flow/flow.ts']);
});
