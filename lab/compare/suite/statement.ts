import type { Api } from './api.ts';
import { refusalOf, type Verdict, verdictOf } from './verdict.ts';

/** Sends requests, and throws if the API does something else than the statement says. */
export type Check = (api: Api) => Promise<unknown>;

/** What an HTTP API does, and who says so. */
export interface Statement {
  readonly part: string;
  readonly says: string;
  /** The section of an RFC, or the number of a statement of docs/specification.md. */
  readonly source: string;
  readonly check: Check;
  /** Of a refusal: the matching request that the API must accept. */
  readonly good?: Check;
}

type Unplaced = Omit<Statement, 'part'>;

export const part = (name: string, statements: readonly Unplaced[]): readonly Statement[] =>
  statements.map((one) => ({ part: name, ...one }));

export const met = (says: string, source: string, check: Check): Unplaced => ({ says, source, check });

/** A statement that the API refuses something. */
export const refuses = (what: string, source: string, good: Check, check: Check): Unplaced => ({
  says: `refuses ${what}`,
  source,
  check,
  good,
});

/** Runs one statement. */
export async function verdictOn({ check, good }: Statement, api: Api): Promise<Verdict> {
  if (good === undefined) return verdictOf(() => check(api));
  const first = await verdictOf(() => good(api));
  return refusalOf(first, first.state === 'met' ? await verdictOf(() => check(api)) : first);
}
