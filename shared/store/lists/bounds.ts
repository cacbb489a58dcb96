import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Decimal } from '../../json/decimal.ts';
import type { Scalar } from '../../resource/description/description.ts';
import { OPERATORS } from '../../resource/kinds/operators.ts';
import type { Filter } from '../../resource/lists/filter.ts';
import { text } from '../form/attributes.ts';
import { keysOf, keysOfPrefix, LEAST_PRESENT, sortKey } from '../form/sort-key.ts';
import type { Index } from '../form/table.ts';

/** An end of a range in an index: the attribute there, and the same position as a sort key. */
export interface Edge {
  readonly attribute: AttributeValue;
  readonly key: Uint8Array;
}

/** A range of rows in an index, with both edges. An absent edge is the end of the partition. */
export interface Bounds {
  readonly low?: Edge;
  readonly high?: Edge;
}

/** Bounds that contain all items that meet a filter. `isExact`: they contain no other item. */
interface Bounded extends Bounds {
  readonly isExact: boolean;
}

/** DynamoDB refuses a longer text in the key of an index. The longest identifier has 255 bytes. */
const MAXIMUM_BYTES = 256;

/** Returns the bounds of the items whose property, which the index sorts by, compares with a value in this way. */
export function boundsOf(index: Index, operator: Filter['operator'], value: Scalar): Bounded {
  return index.sort.type === 'B' ? composed(operator, value) : identified(operator, value);
}

/** Bounds in an index that sorts by composed keys. */
function composed(operator: Filter['operator'], value: Scalar): Bounded {
  const { accepts } = OPERATORS[operator];
  if (accepts === 'words') return { isExact: false };
  const { low, high, isExact } = accepts === 'beginning' ? keysOfPrefix(String(value)) : keysOf(value);
  const [before, after] = [edge(low), edge(high)];
  if (accepts === 'beginning') return { low: before, high: after, isExact };
  // The keys of one value can contain items with other values. Only exact keys can be left out.
  const leavesOut = !accepts.includes(0) && isExact;
  return {
    low: accepts.includes(-1) ? edge(LEAST_PRESENT) : leavesOut ? after : before,
    ...(accepts.includes(1) ? {} : { high: leavesOut ? before : after }),
    isExact,
  };
}

const edge = (key: Uint8Array): Edge => ({ attribute: { B: key }, key });

/** Returns the identifier in a filter; undefined if no item can have it, because DynamoDB refuses it as a key. */
export function identifierOf(value: Scalar): number | string | undefined {
  if (value instanceof Decimal) return value.toNumber();
  return typeof value === 'string' && value !== '' && Buffer.byteLength(value) < MAXIMUM_BYTES
    ? value
    : undefined;
}

/** Bounds in an index that sorts by the identifier itself. */
function identified(operator: Filter['operator'], value: Scalar): Bounded {
  const id = identifierOf(value);
  const { accepts } = OPERATORS[operator];
  if (id === undefined || accepts === 'words') return { isExact: false };
  const low = identifierEdge(id);
  if (accepts !== 'beginning') {
    const high = accepts.includes(1) ? {} : { high: low };
    return { ...(accepts.includes(-1) ? {} : { low }), ...high, isExact: accepts.includes(0) };
  }
  if (typeof id === 'number') return { low, high: low, isExact: false };
  // No identifier of 255 bytes that begins with the prefix is greater.
  return { low, high: identifierEdge(id + '\u{10ffff}'.repeat(MAXIMUM_BYTES / 4)), isExact: true };
}

/** Returns the edge at an identifier. */
export const identifierEdge = (id: number | string): Edge => ({
  attribute: typeof id === 'number' ? { N: String(id) } : text(id),
  key: sortKey(undefined, id),
});

/** Returns the items in both bounds; undefined: none. */
export function intersection(one: Bounds, other: Bounds): Bounds | undefined {
  const low =
    one.low && other.low ? (isBefore(one.low, other.low) ? other.low : one.low) : (one.low ?? other.low);
  const high =
    one.high && other.high
      ? isBefore(one.high, other.high)
        ? one.high
        : other.high
      : (one.high ?? other.high);
  if (low && high && isBefore(high, low)) return undefined;
  return { ...(low ? { low } : {}), ...(high ? { high } : {}) };
}

const isBefore = (a: Edge, b: Edge): boolean => Buffer.compare(a.key, b.key) < 0;
