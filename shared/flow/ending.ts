import { PROBLEMS, type Problem, type ProblemName, problem, type StatusOf } from '../http/problem.ts';

/** How a step ends a request: with a problem, or with a status and header fields. */
export interface Ending<Status extends number = number> {
  readonly status: Status;
  readonly problem?: Problem;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, if it is recorded text. */
  readonly body?: string;
  /** How many items the effect covered; present for a recorded answer of an operation. */
  readonly count?: number;
}

/** Ends with a problem. */
export const refuse = <const Name extends ProblemName>(
  name: Name,
  detail: string,
  more: Omit<Problem, 'name' | 'detail'> = {},
): Ending<StatusOf<Name>> => end(problem(name, detail, more));

/** Ends with a problem that the caller has built. */
export const end = <const Name extends ProblemName>(given: Problem<Name>): Ending<StatusOf<Name>> => ({
  status: PROBLEMS[given.name].status,
  problem: given,
});
