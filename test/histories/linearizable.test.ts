import { describe, expect, test } from '@jest/globals';
import { randomNumbers } from '../support/random-numbers.ts';
import { contradiction, type Deed, type Model } from './linearizable.ts';

type Input =
  | { readonly kind: 'read' }
  | { readonly kind: 'write' | 'swap'; readonly value: number; readonly from?: number };
type Output = number | boolean;
type Done = Deed<Input, Output>;

/** A register with read, write and compare-and-swap. */
const register: Model<number, Input, Output> = {
  initial: 0,
  after: (state, input, output) => {
    if (input.kind === 'read') return output === undefined || output === state ? state : undefined;
    if (input.kind === 'write') return input.value;
    const fits = state === input.from;
    if (output !== undefined && output !== fits) return undefined;
    return fits ? input.value : state;
  },
  key: String,
};

const { POSITIVE_INFINITY: NEVER } = Number;
const read = (asked: number, answered: number, output: number): Done => ({
  asked,
  answered,
  input: { kind: 'read' },
  output,
});
const write = (asked: number, answered: number, value: number): Done => ({
  asked,
  answered,
  input: { kind: 'write', value },
  ...(answered === NEVER ? {} : { output: true }),
});
const swap = (asked: number, answered: number, from: number, value: number, output?: boolean): Done => ({
  asked,
  answered,
  input: { kind: 'swap', value, from },
  ...(output === undefined ? {} : { output }),
});

describe('the check of a history with a known result', () => {
  test.each<[string, boolean, Done[]]>([
    ['nothing', true, []],
    ['one after the other', true, [write(1, 2, 5), read(3, 4, 5), swap(5, 6, 5, 7, true), read(7, 8, 7)]],
    ['an old value is read', false, [write(1, 2, 5), read(3, 4, 0)]],
    ['a value that no client wrote', false, [write(1, 2, 5), read(3, 4, 6)]],
    ['a read beside a write sees either', true, [write(1, 4, 5), read(2, 3, 0)]],
    ['a read beside a write sees the new one', true, [write(1, 4, 5), read(2, 3, 5)]],
    ['two reads see the new one, then the old one', false, [write(1, 9, 5), read(2, 3, 5), read(4, 5, 0)]],
    ['two reads see the old one, then the new one', true, [write(1, 9, 5), read(2, 3, 0), read(4, 5, 5)]],
    ['two swaps from one value succeed', false, [swap(1, 4, 0, 5, true), swap(2, 5, 0, 6, true)]],
    ['one of two swaps succeeds', true, [swap(1, 4, 0, 5, true), swap(2, 5, 0, 6, false), read(6, 7, 5)]],
    [
      'two swaps leave the value of the failed one',
      false,
      [swap(1, 4, 0, 5, true), swap(2, 5, 0, 6, false), read(6, 7, 6)],
    ],
    ['a swap fails without a reason', false, [swap(1, 2, 0, 5, false)]],
    ['a swap fails beside a write', true, [write(1, 4, 3), swap(2, 3, 0, 5, false)]],
    ['a lost update', false, [write(1, 2, 1), swap(3, 4, 1, 2, true), read(5, 6, 1)]],
    ['a write without a response is visible', true, [write(1, NEVER, 5), read(2, 3, 0), read(4, 5, 5)]],
    ['a write without a response is never visible', true, [write(1, NEVER, 5), read(2, 3, 0), read(4, 5, 0)]],
    [
      'a write without a response is visible, then not',
      false,
      [write(1, NEVER, 5), read(2, 3, 5), read(4, 5, 0)],
    ],
    ['a write without a response is visible before its request', false, [read(1, 2, 5), write(3, NEVER, 5)]],
    [
      'two readers disagree on two writes',
      false,
      [write(1, 2, 1), write(3, 4, 2), read(5, 6, 2), read(7, 8, 1)],
    ],
    [
      'two readers see two writes beside them in two orders',
      false,
      [write(1, 20, 1), write(1, 20, 2), read(2, 3, 1), read(4, 5, 2), read(6, 7, 1)],
    ],
  ])('%s: %s', (_about, fits, history) => {
    expect(contradiction(register, history) === undefined).toBe(fits);
  });
});

/** Tries every order: certainly right, and slow. */
function fitsSomehow(history: readonly Done[], state = 0): boolean {
  if (history.every(({ answered }) => answered === NEVER)) return true;
  return history.some((deed, at) => {
    if (history.some((other) => other.answered < deed.asked)) return false;
    const next = register.after(state, deed.input, deed.output);
    return next !== undefined && fitsSomehow(history.toSpliced(at, 1), next);
  });
}

test('agrees with the search of every order', () => {
  const next = randomNumbers(20_26);
  const whole = (most: number) => Math.floor(next() * most);
  const found = { true: 0, false: 0 };
  for (let times = 0; times < 4000; times += 1) {
    const history = Array.from({ length: 1 + whole(6) }, (): Done => {
      const asked = whole(20);
      const answered = next() < 0.15 ? NEVER : asked + 1 + whole(8);
      const kind = whole(3);
      if (kind === 0) return read(asked, asked + 1 + whole(8), whole(3));
      if (kind === 1) return write(asked, answered, whole(3));
      return swap(asked, answered, whole(3), whole(3), answered === NEVER ? undefined : next() < 0.5);
    });
    const fits = fitsSomehow(history);
    found[`${fits}`] += 1;
    expect({ history, fits: contradiction(register, history) === undefined }).toEqual({ history, fits });
  }
  expect(Math.min(found.true, found.false)).toBeGreaterThan(500);
});
