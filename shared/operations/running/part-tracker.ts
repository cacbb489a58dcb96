import { currentTime } from '../../aws/clock.ts';
import { attempts } from '../../concurrency/retry.ts';
import * as RETRIES from '../../concurrency/retry-policies.ts';
import { Unavailable } from '../../http/problem.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Checkpoint } from '../../resource/actions/work.ts';
import type { Attributes } from '../../store/form/attribute-value.ts';
import { number, structure, text } from '../../store/form/attributes.ts';
import { VERSION } from '../../store/form/table.ts';
import { and, compare } from '../../store/write/expression.ts';
import { firstFailures } from '../record/fields.ts';
import {
  attributesOf,
  CURSOR,
  change,
  checkpointOf,
  FAILURES,
  INPUT,
  itemOf,
  type Origin,
  originOf,
} from '../record/record.ts';

/** Suffix of a part number by its result. A part with another result has none. */
const SUFFIXES = { new: '', replaced: 'r', failed: '', stale: 's' } as const;

const partsIn = (cursor = ''): string[] => cursor.split(' ').filter(Boolean);

/** Returns the numbers of the parts that arrived or failed. */
export const settledParts = ({ cursor }: Checkpoint): ReadonlySet<number> =>
  new Set(partsIn(cursor).map((one) => Number.parseInt(one, 10)));

/** Returns the number of parts with a result: `replaced` or `stale`. */
export const countOf = ({ cursor }: Checkpoint, kind: 'replaced' | 'stale'): number =>
  partsIn(cursor).filter((one) => one.endsWith(SUFFIXES[kind])).length;

/** An operation that waits for several parts, in any order. `settled`: the numbers of those that arrived or failed. */
export interface Waiting {
  readonly input: string;
  readonly origin: Origin;
  /** The subject of the caller who began it; undefined if it is unknown. */
  readonly owner: string | undefined;
  readonly settled: ReadonlySet<number>;
  readonly checkpoint: Checkpoint;
}

/**
 * Returns the state of an operation that waits for parts; undefined if it has ended or does not exist.
 * @throws Unavailable if DynamoDB or S3 does not respond
 */
export async function waitingFor(id: number): Promise<Waiting | undefined> {
  const attributes = await attributesOf(id);
  return attributes?.status?.S === 'Running' ? waitingOf(id, attributes) : undefined;
}

async function waitingOf(id: number, attributes: Attributes): Promise<Waiting> {
  const checkpoint = checkpointOf(attributes);
  const input = attributes[INPUT]?.S ?? (await (await import('../record/long-inputs.ts')).getInput(id));
  const { createdBy: owner } = itemOf(attributes);
  return { input, origin: originOf(attributes, id), owner, settled: settledParts(checkpoint), checkpoint };
}

/** The result of one part: a new file, a replaced file, or a failure. `stale`: its precondition did not hold. */
export type Arrival =
  | { readonly kind: 'new' | 'replaced' }
  | { readonly kind: 'failed' | 'stale'; readonly failure: JsonObject };

/**
 * Counts one part of an operation. A repeated call for the same part counts it once. Returns the checkpoint after the
 * count; undefined if the operation does not wait any more.
 *
 * @throws Unavailable if DynamoDB does not respond, or if conflicts with other changes continue
 */
export async function countPart(id: number, part: number, arrival: Arrival): Promise<Checkpoint | undefined> {
  for await (const _ of attempts(RETRIES.part)) {
    const attributes = await attributesOf(id);
    if (attributes?.status?.S !== 'Running') return undefined;
    const { settled, checkpoint } = await waitingOf(id, attributes);
    if (settled.has(part)) return checkpoint;
    const after = counted(checkpoint, part, arrival);
    const result = await change(id, {
      now: currentTime(),
      set: changed(after),
      condition: and(
        compare(VERSION, '=', number(itemOf(attributes).version)),
        compare('status', '=', text('Running')),
      ),
    });
    if (result.kind === 'changed') return after;
  }
  throw new Unavailable(new Error('Conflicts with other changes of the operation did not end'));
}

function counted(before: Checkpoint, part: number, arrival: Arrival): Checkpoint {
  const cursor = [...partsIn(before.cursor), `${part}${SUFFIXES[arrival.kind]}`].join(' ');
  if (!('failure' in arrival)) return { ...before, cursor, done: before.done + 1 };
  const failures = firstFailures([...before.failures, arrival.failure]);
  return { ...before, cursor, failed: before.failed + 1, failures };
}

function changed({ cursor, done, failed, total = 0, failures }: Checkpoint): Attributes {
  return {
    progress: structure({ done, total, failed }),
    percentComplete: number(total === 0 ? 100 : Math.min(99, Math.floor(((done + failed) / total) * 100))),
    [CURSOR]: text(cursor as string),
    ...(failures.length > 0 ? { [FAILURES]: structure(failures) } : {}),
  };
}
