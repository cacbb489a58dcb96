import type { Answer } from './client.ts';

/** A check that this service or this token does not allow, with the reason. */
export class Skipped extends Error {}

const SHOWN = 300;

/** @throws if the response has another status */
export function expectStatus(answer: Answer, ...statuses: readonly number[]): Answer {
  if (statuses.includes(answer.status)) return answer;
  throw new Error(`${answer.status}, not ${statuses.join(' or ')}: ${answer.text.slice(0, SHOWN)}`);
}

/** @throws if the header field has another value */
export function expectHeader({ headers }: Answer, name: string, expected: string | RegExp): string {
  const value = headers[name];
  const fits = typeof expected === 'string' ? value === expected : expected.test(value ?? '');
  if (value !== undefined && fits) return value;
  throw new Error(`${name}: ${value ?? '(absent)'}, not ${expected}`);
}

/** @throws if the response is not a problem document with this status */
export function expectProblem(answer: Answer, ...statuses: readonly number[]): Answer {
  expectStatus(answer, ...statuses);
  expectHeader(answer, 'content-type', /^application\/problem\+json/);
  const { type, title, status } = answer.json();
  if (typeof type !== 'string' || typeof title !== 'string')
    throw new Error(`The response is not a problem document: ${answer.text.slice(0, SHOWN)}`);
  if (status !== undefined && status !== answer.status)
    throw new Error(`The problem has status ${status}, but the response has ${answer.status}`);
  return answer;
}

/** @throws if the values differ */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) throw new Error(`${what}: ${String(actual)}, not ${String(expected)}`);
}

/** @throws if the bytes differ from the stored ones */
export function expectBytes(actual: Buffer, expected: Buffer): void {
  expectSame(actual.length, expected.length, 'bytes');
  if (!actual.equals(expected)) throw new Error('The bytes differ from the stored ones');
}
