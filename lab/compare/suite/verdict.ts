import { isDeepStrictEqual } from 'node:util';

/** The result of a statement for one API. `not offered`: the API has no such function at all, so it cannot be wrong. */
export type Verdict =
  | { readonly state: 'met' }
  | { readonly state: 'not met' | 'not offered'; readonly why: string };

/** The API does something else than the statement says. */
export class Unmet extends Error {}

/** The API has no such function: its adapter lacks it, or the API refuses the method or the media type. */
export class NotOffered extends Error {}

/** The statuses of an API that has no such function. Source: RFC 9110 §15.5.6, §15.5.7, §15.5.16, §15.6.2. */
const ABSENT = [405, 406, 415, 501];

/** The longest text of a reason in characters. */
const SHOWN = 160;

/** Runs a check, and returns its verdict. A check that throws any error is not met. */
export async function verdictOf(check: () => Promise<unknown>): Promise<Verdict> {
  try {
    await check();
    return { state: 'met' };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const why = text.replace(/\s+/g, ' ').slice(0, SHOWN);
    return { state: error instanceof NotOffered ? 'not offered' : 'not met', why };
  }
}

/** A refusal counts only if the API accepts the matching good request: an API that refuses everything has no point. */
export function refusalOf(good: Verdict, refusal: Verdict): Verdict {
  if (good.state === 'met') return refusal;
  return { state: good.state, why: `the good request: ${good.why}` };
}

interface Statused {
  readonly status: number;
  readonly text: string;
}

/** Returns the response if its status is one of these. @throws NotOffered, Unmet */
export function ok<A extends Statused>(answer: A, ...statuses: readonly number[]): A {
  const { status, text } = answer;
  const fits = statuses.length === 0 ? status >= 200 && status < 300 : statuses.includes(status);
  if (fits) return answer;
  const wanted = statuses.length === 0 ? '2xx' : statuses.join(' or ');
  const isGood = statuses.every((one) => one < 400);
  if (isGood && ABSENT.includes(status)) throw new NotOffered(`status ${status}`);
  throw new Unmet(`status ${status} instead of ${wanted}: ${text.slice(0, 80)}`);
}

/** Returns the response if it is a client error, or one of these statuses. @throws Unmet */
export function refusal<A extends Statused>(answer: A, ...statuses: readonly number[]): A {
  const { status } = answer;
  const fits = statuses.length === 0 ? status >= 400 && status < 500 : statuses.includes(status);
  if (!fits) throw new Unmet(`status ${status} instead of ${statuses.join(' or ') || '4xx'}`);
  return answer;
}

/** @throws Unmet */
export function must(condition: unknown, otherwise: string): asserts condition {
  if (!condition) throw new Unmet(otherwise);
}

/** @throws Unmet if the two differ. The members of an object have no order. */
export function same(actual: unknown, expected: unknown, what = 'value'): void {
  const [a, e] = [JSON.stringify(actual), JSON.stringify(expected)];
  must(isDeepStrictEqual(actual, expected), `${what} is ${a?.slice(0, 60)} instead of ${e?.slice(0, 60)}`);
}

/** Returns the value of something that not every API has. @throws NotOffered */
export function present<T>(value: T, what: string): NonNullable<T> {
  if (value === undefined || value === null) throw new NotOffered(`no ${what}`);
  return value;
}
