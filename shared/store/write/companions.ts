import type { Companion } from '../items/items.ts';

/**
 * Writes with what goes along, as far as it can: a part whose item is gone is left out, and the rest is written.
 * `write` answers the index of the part that failed, or its result.
 */
export async function writeSkippingMissing<Result>(
  along: readonly Companion[],
  write: (along: readonly Companion[]) => Promise<Result | number>,
): Promise<Result> {
  let left = along;
  for (;;) {
    const result = await write(left);
    if (typeof result !== 'number') return result;
    left = left.filter((_, at) => at !== result);
  }
}
