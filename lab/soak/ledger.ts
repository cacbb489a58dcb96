/** The values of an item that a client has written; null for a property that the service must not have. */
export type Expected = Readonly<Record<string, string | number | null>>;

/**
 * What the service has acknowledged to the clients: the present values of each item by its path, or `removed`. Each
 * client changes only its own items, so no other client changes them in between.
 */
export class Ledger {
  readonly #items = new Map<string, Expected | 'removed'>();
  #writes = 0;

  /** The number of acknowledged writes. */
  get writes(): number {
    return this.#writes;
  }

  /** The paths and values of all items. */
  get items(): ReadonlyMap<string, Expected | 'removed'> {
    return this.#items;
  }

  /** Records an acknowledged write. */
  record(path: string, expected: Expected | 'removed'): void {
    this.#writes += 1;
    this.#items.set(path, expected);
  }
}
