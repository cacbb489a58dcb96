import type { Companion } from '../items/items.ts';
import type { CompanionFailed } from './results.ts';

/** Writes with companions. If the item of a companion is missing, this function repeats the write without it. */
export async function writeSkippingMissing<Result extends { readonly kind: string }>(
  companions: readonly Companion[],
  write: (companions: readonly Companion[]) => Promise<Result | CompanionFailed>,
): Promise<Exclude<Result, CompanionFailed>> {
  let left = companions;
  for (;;) {
    const result = await write(left);
    if (isWritten(result)) return result;
    const { index } = result as CompanionFailed;
    left = left.filter((_, at) => at !== index);
  }
}

const isWritten = <Result extends { readonly kind: string }>(
  result: Result | CompanionFailed,
): result is Exclude<Result, CompanionFailed> => result.kind !== 'companion-failed';
