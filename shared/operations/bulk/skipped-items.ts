import type { Item } from '../../resource/item.ts';
import type { Failed } from '../advance.ts';
import type { BulkRules } from './rules.ts';

/** What a step passes over, found by trying it: items that others count on, and those that are gone already. */
export class SkippedItems {
  readonly used = new Set<Item['id']>();
  readonly gone = new Set<Item['id']>();
  /** The items of the attempt before, whose parts stand last. */
  tried: readonly Item[] = [];
  readonly #rules: BulkRules;

  constructor(rules: BulkRules) {
    this.#rules = rules;
  }

  /** Takes what failed of an attempt; of none at the beginning of a step. */
  over(failed: Failed, before = 0): void {
    if (failed.length === 0) {
      this.used.clear();
      this.gone.clear();
    }
    const { unused } = this.#rules;
    for (const { index, failure } of failed) {
      const id = this.tried[index - before]?.id;
      if (id === undefined) continue;
      if (!failure.Item) this.gone.add(id);
      else if (unused && Number(failure.Item[`_${unused.count}`]?.N ?? 0) > 0) this.used.add(id);
    }
  }
}
