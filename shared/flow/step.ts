import type { Ending } from './ending.ts';
import type { Exchange } from './exchange.ts';

/**
 * One decision of the flow. The step ends the request, or stores its results on the exchange and returns undefined.
 */
export interface Step {
  readonly name: string;
  /** Every status with which this step can end a request. */
  readonly ends: readonly number[];
  run(exchange: Exchange): Ending | undefined | Promise<Ending | undefined>;
}

/** Declares a step. The compiler rejects an ending with an undeclared status. */
export const step = <const Status extends number>(
  name: string,
  ends: readonly Status[],
  run: (
    exchange: Exchange,
  ) => Ending<NoInfer<Status>> | undefined | Promise<Ending<NoInfer<Status>> | undefined>,
): Step => ({ name, ends, run });
