import type { Item } from '../../resource/item.ts';
import type { Failed } from '../running/advance.ts';
import type { BulkRules } from './rules.ts';

/** The items that a step skips after a failed attempt. `used`: their count is not zero. `gone`: they do not exist. */
export class SkippedItems {
  readonly used = new Set<Item['id']>();
  readonly gone = new Set<Item['id']>();
  /** The items of the previous attempt. Their parts are the last ones of its transaction. */
  tried: readonly Item[] = [];
  readonly #rules: BulkRules;

  constructor(rules: BulkRules) {
    this.#rules = rules;
  }

  /**
   * Records the failed parts of an attempt. At the beginning of a step `failed` is empty, which clears the sets.
   * `before`: the number of parts before those of the items.
   */
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
