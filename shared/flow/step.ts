import { PROBLEMS, type Problem, type ProblemName, problem, type StatusOf } from '../http/problem.ts';
import type { Exchange } from './exchange.ts';

/** How a step ends a request: with a problem, or with a status and header fields and no content. */
export interface Ending<Status extends number = number> {
  readonly status: Status;
  readonly problem?: Problem;
  readonly headers?: Readonly<Record<string, string>>;
}

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

/** Ends with a problem. */
export const refuse = <const Name extends ProblemName>(
  name: Name,
  detail: string,
  more: Omit<Problem, 'name' | 'detail'> = {},
): Ending<StatusOf<Name>> => end(problem(name, detail, more));

/** Ends with a problem that was already stated. */
export const end = <const Name extends ProblemName>(stated: Problem<Name>): Ending<StatusOf<Name>> => ({
  status: PROBLEMS[stated.name].status,
  problem: stated,
});
