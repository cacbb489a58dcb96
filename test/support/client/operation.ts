import { send } from '../service/under-test.ts';
import type { Answer, Body, Client } from './client.ts';

/** The operation in a response. */
export const operationOf = (answer: Answer): Body => answer.json();

const FINAL = ['Succeeded', 'Failed', 'Canceled'];
/** The most polls of an operation. The service holds each one as long as it lets a client wait. */
const LOOKS = 10;

/** The status of an accepted operation after its end. `client`: a client of the service; absent: the one under test. */
export async function ended({ status, headers, text }: Answer, client: Client = send): Promise<Answer> {
  if (status !== 202 || headers.location === undefined) throw new Error(`Not accepted: ${status} ${text}`);
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const answer = await client('GET', headers.location, { headers: { Prefer: 'wait=20' } });
    if (FINAL.includes(String(answer.json().status))) return answer;
  }
  throw new Error(`${headers.location} did not end`);
}
