import type { Answer, Body } from './client.ts';
import { get } from './under-test.ts';

/** The operation in a response. */
export const operationOf = (answer: Answer): Body => answer.json();

const FINAL = ['Succeeded', 'Failed', 'Canceled'];
/** The most polls of an operation. The service holds each one as long as it lets a client wait. */
const LOOKS = 10;

/** The status of an accepted operation after its end. */
export async function ended({ status, headers, text }: Answer): Promise<Answer> {
  if (status !== 202 || headers.location === undefined) throw new Error(`Not accepted: ${status} ${text}`);
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const answer = await get(headers.location, { Prefer: 'wait=20' });
    if (FINAL.includes(String(answer.json().status))) return answer;
  }
  throw new Error(`${headers.location} did not end`);
}
