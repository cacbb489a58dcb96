import { beforeAll, jest } from '@jest/globals';
import { attached, type Call } from '../engines/attached.ts';

/** What becomes of the next calls of an operation of an engine, `UpdateItem` or `SendMessage`. */
export type Fate = 'fails' | 'answer lost' | (() => Promise<void> | void);

interface Rule {
  readonly operation: string;
  /** Only calls whose body holds this. */
  readonly holding: string;
  readonly fate: Fate;
  times: number;
}

let rules: Rule[] = [];
/** The calls that came, by operation. */
const counted: Record<string, number> = {};

const operationOf = (request: Call): string =>
  String((request as { headers: Record<string, string> }).headers['x-amz-target'] ?? '')
    .split('.')
    .at(-1) ?? '';

const textOf = (body: unknown): string =>
  ArrayBuffer.isView(body)
    ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
    : String(body ?? '');

const lost = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', name: 'TimeoutError' });

/** What the functions tell their operators is of no use here. */
const quiet = () => jest.spyOn(console, 'error').mockImplementation(() => undefined);

/** Attaches the service to engines of its own, with what `next` says between them. */
export function attachedBetween(): void {
  beforeAll(() => void quiet());
  attached(async (call, pass) => {
    const operation = operationOf(call[0]);
    counted[operation] = (counted[operation] ?? 0) + 1;
    const text = textOf(call[0].body);
    const rule = rules.find(
      (one) => one.times > 0 && one.operation === operation && text.includes(one.holding),
    );
    if (!rule) return pass(...call);
    rule.times -= 1;
    if (rule.fate === 'fails') throw lost();
    const answer = await pass(...call);
    if (rule.fate === 'answer lost') throw lost();
    await rule.fate();
    return answer;
  });
}

/** Says what becomes of the next calls, or of what comes right after them. */
export function next(operation: string, fate: Fate, { times = 1, holding = '' } = {}): void {
  rules = [...rules.filter((one) => one.times > 0), { operation, fate, times, holding }];
}

/** All calls are passed on again. */
export function clearFaults(): void {
  rules = [];
}

/** How many calls of an operation came while this was done. */
export async function calls(operation: string, during: () => Promise<unknown>): Promise<number> {
  const before = counted[operation] ?? 0;
  await during();
  return (counted[operation] ?? 0) - before;
}
