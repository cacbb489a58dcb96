import { describe, expect, test } from '@jest/globals';
import { type Ending, endWith, refuse } from '../../../shared/flow/ending.ts';
import type { Received, Understood } from '../../../shared/flow/exchange.ts';
import { flow } from '../../../shared/flow/flow.ts';
import { step } from '../../../shared/flow/step.ts';
import { authorize } from '../../../shared/flow/steps/pure/authorize.ts';
import { method } from '../../../shared/flow/steps/pure/method.ts';
import { act } from '../../../shared/flow/steps/stateful/act.ts';
import { lookUp } from '../../../shared/flow/steps/stateful/look-up.ts';
import { preconditions } from '../../../shared/flow/steps/stateful/preconditions.ts';
import { bytes } from '../../../shared/flow/steps/stateful/ranges-of-bytes.ts';
import { replay } from '../../../shared/flow/steps/stateful/replay.ts';

interface Start {
  readonly number: number;
}
interface Doubled {
  readonly double: number;
}
interface Listed {
  readonly notes: readonly string[] | undefined;
}

const double = step<Start, Doubled>()('double', [], ({ number }) => ({ double: 2 * number }));
const note = step<Doubled, Listed>()('note', [400], async ({ double }) =>
  double > 10 ? refuse('validation-error', 'too large') : { notes: [`is ${double}`] },
);
const pass = step<Doubled>()('pass', [204], ({ double }) => (double === 0 ? endWith(204, {}) : undefined));

test('a flow adds what each step finds', async () => {
  const passage = await flow<Start>().next(double).next(pass).next(note).run({ number: 3 });
  expect(passage).toEqual({ kind: 'passed', exchange: { number: 3, double: 6, notes: ['is 6'] } });
});

test.each([
  [0, 204, { number: 0, double: 0 }],
  [8, 400, { number: 8, double: 16 }],
])(
  'a flow of %i ends with %i and leaves what the steps before have added',
  async (number, status, exchange) => {
    const passage = await flow<Start>().next(double).next(pass).next(note).run({ number });
    expect(passage).toMatchObject({ kind: 'ended', ending: { status }, exchange });
  },
);

test('a second run begins with the same start', async () => {
  const start = { number: 3 };
  const both = flow<Start>().next(double);
  await both.run(start);
  expect(start).toEqual({ number: 3 });
});

describe('a step for some requests', () => {
  const noted = flow<Start>()
    .next(double)
    .when(({ number }) => number > 3, note, { notes: undefined });

  test.each([
    [3, { number: 3, double: 6, notes: undefined }],
    [4, { number: 4, double: 8, notes: ['is 8'] }],
  ])('adds to %i what its condition says', async (number, exchange) => {
    expect(await noted.run({ number })).toStrictEqual({ kind: 'passed', exchange });
  });
  test('can end those only', async () => {
    const refuses = step<Doubled>()('refuses', [204], () => endWith(204, {}));
    const some = flow<Start>()
      .next(double)
      .when((exchange) => exchange.double > 6, refuses, undefined);
    expect(await some.run({ number: 3 })).toMatchObject({ kind: 'passed' });
    expect(await some.run({ number: 4 })).toMatchObject({ kind: 'ended', ending: { status: 204 } });
  });
  test('is one of the steps of the flow', () => {
    expect(noted.steps.map(({ name }) => name)).toEqual(['double', 'note']);
  });
});

// The compiler checks these tests: each directive marks a line that must not compile.

test('a step before the steps that it needs does not compile', () => {
  const wrong = [
    // @ts-expect-error authorize needs the route that method adds
    flow<Received>().next(authorize).next(method),
    // @ts-expect-error preconditions needs the state that lookUp adds
    flow<Understood>().next(replay).next(preconditions),
    // @ts-expect-error bytes needs the state, too
    flow<Understood>().next(bytes),
    // @ts-expect-error act needs what preconditions and bytes add
    flow<Understood>().next(replay).next(lookUp).next(act),
    // @ts-expect-error replay needs the whole pure part
    flow<Received>().next(method).next(authorize).next(replay),
  ];
  expect(wrong).toHaveLength(5);
});

test('a step for some requests without what it adds to the others does not compile', () => {
  const wrong = [
    // @ts-expect-error the others get no notes
    flow<Doubled>().when(() => true, note, undefined),
    // @ts-expect-error the step needs what no step before adds
    flow<Start>().when(() => true, note, { notes: undefined }),
    // @ts-expect-error the condition reads what no step before adds
    flow<Start>().when(({ double: doubled }) => doubled > 3, double, { double: 0 }),
  ];
  expect(wrong).toHaveLength(3);
});

test('an ending with an undeclared status does not compile', () => {
  const wrong = [
    // @ts-expect-error 404 is not declared
    step<Start, Doubled>()('double', [400], () => refuse('not-found', 'Nothing is here')),
    // @ts-expect-error no status is declared
    step<Start>()('pass', [], () => endWith(204, {})),
    // @ts-expect-error the status can be any number
    step<Start>()('pass', [204], (): Ending => endWith(204, {})),
    // @ts-expect-error the promise has another status
    step<Start>()('pass', [304], async () => refuse('precondition-failed', 'It changed')),
  ];
  expect(wrong).toHaveLength(4);
});

test('a step that adds too little, or writes to the exchange, does not compile', () => {
  const wrong = [
    // @ts-expect-error the step adds no double
    step<Start, Doubled>()('double', [], () => undefined),
    // @ts-expect-error the property has another name
    step<Start, Listed>()('note', [], () => ({ note: undefined })),
    step<Start>()('pass', [], (exchange) => {
      // @ts-expect-error the exchange is readonly
      exchange.number = 4;
      return undefined;
    }),
  ];
  expect(wrong).toHaveLength(3);
});
