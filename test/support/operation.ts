import type { Answer, Body } from './client.ts';
import { get } from './under-test.ts';

/** The operation that an answer shows. */
export const operationOf = (answer: Answer): Body => answer.json();

const FINAL = ['Succeeded', 'Failed', 'Canceled'];
/** Looks at an operation at most, each as long as the service lets a client wait. */
const LOOKS = 10;

/** The status of an operation that was accepted, once it has ended. */
export async function ended({ status, headers, text }: Answer): Promise<Answer> {
  if (status !== 202 || headers.location === undefined) throw new Error(`Not accepted: ${status} ${text}`);
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const answer = await get(headers.location, { Prefer: 'wait=20' });
    if (FINAL.includes(String(answer.json().status))) return answer;
  }
  throw new Error(`${headers.location} did not end`);
}
