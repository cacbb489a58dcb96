import type { Answer, Body } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { get, send } from '../../support/service/under-test.ts';

/** The header field that asks for a result for each element. */
export const LENIENT = { Prefer: 'handling=lenient' };
/** New customers. */
export const many = (count: number, more: Record<string, unknown> = {}) =>
  Array.from({ length: count }, (_, at) => ({ name: `customer ${at}`, ...more }));

export const post = (path: string, json: unknown, headers = {}) => send('POST', path, { json, headers });
export const put = (path: string, json: unknown, headers = {}) => send('PUT', path, { json, headers });

/** The elements of a list, or the results for each element. */
export const items = (answer: Answer): readonly Body[] => answer.json().items;
/** All items of a short list. */
export const all = async (path: string) => items(await get(`${path}?limit=1000`));
/** The problem that the response must be. */
export const problemIn = (answer: Answer, status: number, name: string): Body => {
  expectProblem(answer, status, name);
  return answer.json();
};
