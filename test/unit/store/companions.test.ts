import { expect, test } from '@jest/globals';
import type { Companion } from '../../../shared/store/items/items.ts';
import { writeSkippingMissing } from '../../../shared/store/write/companions.ts';

const companion = (id: number): Companion => ({
  ConditionCheck: { TableName: 'customers', Key: { id: { N: String(id) } }, ConditionExpression: undefined },
});
const [one, two, three] = [companion(1), companion(2), companion(3)];

/** A write that fails for each companion whose item is missing, the first one first. */
const writeWithout =
  (missing: readonly Companion[], tried: (readonly Companion[])[]) =>
  async (companions: readonly Companion[]) => {
    tried.push(companions);
    const index = companions.findIndex((each) => missing.includes(each));
    return index < 0 ? ({ kind: 'removed' } as const) : ({ kind: 'companion-failed', index } as const);
  };

test('writes once if every companion has an item', async () => {
  const tried: (readonly Companion[])[] = [];
  expect(await writeSkippingMissing([one, two], writeWithout([], tried))).toEqual({ kind: 'removed' });
  expect(tried).toEqual([[one, two]]);
});

test('repeats the write without each companion whose item is missing', async () => {
  const tried: (readonly Companion[])[] = [];
  const result = await writeSkippingMissing([one, two, three], writeWithout([one, three], tried));
  expect(result).toEqual({ kind: 'removed' });
  expect(tried).toEqual([[one, two, three], [two, three], [two]]);
});

test('returns any other failure of the write', async () => {
  expect(await writeSkippingMissing([one], async () => ({ kind: 'stale' }) as const)).toEqual({
    kind: 'stale',
  });
});
