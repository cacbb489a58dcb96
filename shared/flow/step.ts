import type { Ending } from './ending.ts';

/**
 * The result of a step: the end of the request, or what the step adds to the exchange. An addition has no `kind`,
 * which the end has.
 */
export type Finding<Adds, Status extends number = number> =
  | Ending<Status>
  | ('kind' extends keyof Adds ? never : Adds);

/** One decision of the flow. `Needs`: what earlier steps have added. `Adds`: undefined if the step adds nothing. */
export interface Step<Needs, Adds> {
  readonly name: string;
  /** Every status with which this step can end a request. */
  readonly ends: readonly number[];
  readonly run: (exchange: Readonly<Needs>) => Finding<Adds> | Promise<Finding<Adds>>;
}

/**
 * Declares a step: `step<Needs, Adds>()(name, ends, run)`. The compiler rejects an ending with an undeclared status,
 * and a result without a part of `Adds`.
 */
export const step =
  <Needs, Adds = undefined>() =>
  <const Status extends number>(
    name: string,
    ends: readonly Status[],
    run: (
      exchange: Readonly<Needs>,
    ) => Finding<Adds, NoInfer<Status>> | Promise<Finding<Adds, NoInfer<Status>>>,
  ): Step<Needs, Adds> => ({ name, ends, run });
