import { PROBLEMS, type Problem, type ProblemName, problem, type StatusOf } from '../http/problem.ts';

/** How a step ends a request: with a problem, or with a status and header fields. */
export interface Ending<Status extends number = number> {
  readonly status: Status;
  readonly problem?: Problem;
  readonly headers?: Readonly<Record<string, string>>;
  /** Content that was written before. */
  readonly body?: string;
  /** Of an operation that was done before: how many things were. */
  readonly count?: number;
}

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
