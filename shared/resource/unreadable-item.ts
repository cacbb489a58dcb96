import { type Problem, problem } from '../http/problem.ts';

/** The service does not understand the stored form of an item. */
export class UnreadableItem extends Error {
  constructor() {
    super('The service does not understand the stored form of an item');
    this.name = 'UnreadableItem';
  }
}

/** The problem of a request that needs an unreadable item. */
export const unreadableItem = (): Problem =>
  problem(
    'unreadable-item',
    'The service does not understand the stored form of this item. Tell the operators the requestId',
  );
