import { expect } from '@jest/globals';

/** Returns the values, and expects at least one, so that a loop of expectations over them has one. */
export function atLeastOne<Value>(values: Iterable<Value>): readonly Value[] {
  const all = [...values];
  expect(all.length).toBeGreaterThan(0);
  return all;
}
