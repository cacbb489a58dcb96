import { beforeAll } from '@jest/globals';
import { attached, type Call } from '../engines/attached.ts';
import { collectLog } from '../engines/collected-log.ts';

/** Faults of the next calls of one engine operation, `UpdateItem` or `SendMessage`. `too large`: DynamoDB refuses it. */
export type Fate = 'fails' | 'answer lost' | 'too large' | (() => Promise<void> | void);

interface Rule {
  readonly operation: string;
  /** Only calls whose body contains this text. */
  readonly holding: string;
  /** Only calls to a path with this end. Calls of S3 have no name of an operation. */
  readonly path: string;
  readonly fate: Fate;
  times: number;
}

let rules: Rule[] = [];
/** The calls that arrived, by operation. */
const counted: Record<string, number> = {};

const operationOf = (request: Call): string =>
  String((request as { headers: Record<string, string> }).headers['x-amz-target'] ?? '')
    .split('.')
    .at(-1) ?? '';

/** The body of a call as text. */
export const textOf = (body: unknown): string =>
  ArrayBuffer.isView(body)
    ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
    : String(body ?? '');

const lost = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', name: 'TimeoutError' });

const tooLarge = () =>
  Object.assign(new Error('Transaction request cannot include more than 4 MB of data'), {
    name: 'ValidationException',
    $fault: 'client',
  });

// The tests need no logs of the functions.
const quiet = () => collectLog();

/** Attaches the service to its own engines, with the faults of `next` between them. */
export function attachedBetween(): void {
  beforeAll(() => void quiet());
  attached(async (call, pass) => {
    const operation = operationOf(call[0]);
    counted[operation] = (counted[operation] ?? 0) + 1;
    const text = textOf(call[0].body);
    const rule = rules.find(
      (one) =>
        one.times > 0 &&
        one.operation === operation &&
        text.includes(one.holding) &&
        call[0].path.endsWith(one.path),
    );
    if (!rule) return pass(...call);
    rule.times -= 1;
    if (rule.fate === 'fails') throw lost();
    if (rule.fate === 'too large') throw tooLarge();
    const answer = await pass(...call);
    if (rule.fate === 'answer lost') throw lost();
    await rule.fate();
    return answer;
  });
}

/** Sets the faults of the next calls, or actions right after them. */
export function next(operation: string, fate: Fate, { times = 1, holding = '', path = '' } = {}): void {
  rules = [...rules.filter((one) => one.times > 0), { operation, fate, times, holding, path }];
}

/** Passes all calls on again. */
export function clearFaults(): void {
  rules = [];
}

/** The number of calls of an operation during this work. */
export async function calls(operation: string, during: () => Promise<unknown>): Promise<number> {
  const before = counted[operation] ?? 0;
  await during();
  return (counted[operation] ?? 0) - before;
}
