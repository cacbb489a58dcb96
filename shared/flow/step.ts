import type { Ending } from './ending.ts';
import type { Exchange } from './exchange.ts';

/** One decision of the flow. It ends the request, or leaves what it found on the exchange and answers undefined. */
export interface Step {
  readonly name: string;
  /** Every status this step can end a request with. */
  readonly ends: readonly number[];
  run(exchange: Exchange): Ending | undefined | Promise<Ending | undefined>;
}

/** Declares a step. Ending with a status that is not declared does not compile. */
export const step = <const Status extends number>(
  name: string,
  ends: readonly Status[],
  run: (
    exchange: Exchange,
  ) => Ending<NoInfer<Status>> | undefined | Promise<Ending<NoInfer<Status>> | undefined>,
): Step => ({ name, ends, run });
