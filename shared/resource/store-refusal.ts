import { type Problem, problem } from '../http/problem.ts';

/** The store cannot do what a request wants, and no repetition helps. The client gets the problem. */
export class StoreRefusal extends Error {
  readonly problem: Problem;

  constructor(message: string, stated: Problem, cause?: unknown) {
    super(message, { cause });
    this.name = new.target.name;
    this.problem = stated;
  }
}

/** The service does not understand the stored form of an item. */
export class UnreadableItem extends StoreRefusal {
  constructor() {
    super('The service does not understand the stored form of an item', unreadableItem());
  }
}

/** Returns the problem of a request that needs an unreadable item. */
export const unreadableItem = (): Problem =>
  problem(
    'unreadable-item',
    'The service does not understand the stored form of this item. Tell the operators the requestId',
  );

/** An item, or all items that one transaction changes or checks, are larger than the store takes. */
export class OversizedWrite extends StoreRefusal {
  constructor(cause: unknown) {
    const detail = 'The change and the items that it refers to are too large to be stored at once';
    super(detail, problem('conflict', `${detail}. Make them smaller, or change fewer of them`), cause);
  }
}
