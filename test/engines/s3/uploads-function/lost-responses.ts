import { beforeEach } from '@jest/globals';
import { attached, type Call } from '../../attached.ts';

let isLost: (call: Call) => boolean = () => false;

/** Attaches the engines before the tests of a file. */
export function withEngines(): void {
  attached(async (call, pass) => {
    const answer = await pass(...call);
    if (isLost(call[0])) throw Object.assign(new Error('Connection reset'), { code: 'ECONNRESET' });
    return answer;
  });
  beforeEach(keepResponses);
}

/** Loses the responses to the calls that match: the engine handles such a call, and its connection then ends. */
export function loseResponses(matches: (call: Call) => boolean): void {
  isLost = matches;
}

/** Ends the loss of responses. */
export function keepResponses(): void {
  isLost = () => false;
}

export const isCopy = ({ headers }: Call): boolean => headers['x-amz-copy-source'] !== undefined;
