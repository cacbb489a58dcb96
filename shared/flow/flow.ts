import type { Ending } from './ending.ts';
import type { Step } from './step.ts';

/** How a request leaves a flow: a step ended it, or it passed all steps. */
export type Passage<Start, End> =
  | { readonly kind: 'ended'; readonly ending: Ending; readonly exchange: Start & Partial<End> }
  | { readonly kind: 'passed'; readonly exchange: End };

/** A step, and to which exchanges it applies: the others get `otherwise`. */
interface ChainedStep extends AnyStep {
  readonly applies?: (exchange: never) => boolean;
  readonly otherwise?: object | undefined;
}

/** Steps in order. `Start`: the exchange before the first step. `End`: the exchange after the last one. */
export interface Flow<Start, End> {
  readonly steps: readonly ChainedStep[];
  /** Adds a step at the end. The compiler rejects a step that needs more than the steps before it add. */
  next<Adds extends object | undefined>(step: Step<End, Adds>): Flow<Start, Grown<End, Adds>>;
  /** Adds a step that runs if `applies`, which may read all that the steps before it add. Others get `otherwise`. */
  when<Adds extends object | undefined>(
    applies: (exchange: Readonly<End>) => boolean,
    step: Step<End, Adds>,
    otherwise: NoInfer<Adds>,
  ): Flow<Start, Grown<End, Adds>>;
  /** Runs the steps until one ends the request. It awaits a step only if the step returns a promise. */
  run(start: Start): Promise<Passage<Start, End>>;
}

type AnyStep = Step<never, object | undefined>;
type Grown<End, Adds> = Adds extends object ? End & Adds : End;

/** A flow without steps. */
export const flow = <Start extends object>(): Flow<Start, Start> => flowOf([]);

const flowOf = <Start extends object, End extends Start>(
  steps: readonly ChainedStep[],
): Flow<Start, End> => ({
  steps,
  next: (step) => flowOf([...steps, step]),
  when: (applies, step, otherwise) => flowOf([...steps, { ...step, applies, otherwise }]),
  run: (start) => runSteps(steps, start),
});

async function runSteps<Start extends object, End extends Start>(
  steps: readonly ChainedStep[],
  start: Start,
): Promise<Passage<Start, End>> {
  // The one object that changes. Only this function writes to it, so a second run begins with the same start.
  const exchange = { ...start } as Start & Partial<End>;
  for (const { run, applies, otherwise } of steps) {
    const result = !applies || applies(exchange as never) ? run(exchange as never) : otherwise;
    const finding = result instanceof Promise ? await result : result;
    if (finding === undefined) continue;
    // Steps cannot add a `kind`, so it distinguishes the end from an addition.
    if ('kind' in finding && finding.kind === 'ending')
      return { kind: 'ended', ending: finding as Ending, exchange };
    Object.assign(exchange, finding);
  }
  // `next` and `when` have checked that the steps together add all of `End`.
  return { kind: 'passed', exchange: exchange as End };
}
