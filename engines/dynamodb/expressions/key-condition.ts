import { invalid } from '../../fault.ts';
import { keyBytes } from '../key.ts';
import type { KeyPart, KeyShape } from '../tables/table.ts';
import type { Value } from '../values/value.ts';
import type { Tokens } from './tokens.ts';

/**
 * The rows that a key condition selects: one partition, and in it the sort keys from `low` up to and excluding
 * `high`.
 */
export interface KeyRange {
  pk: Buffer;
  low?: Buffer;
  high?: Buffer | undefined;
}

interface Term {
  name: string;
  operator: string;
  values: Value[];
}

/**
 * Reads a key condition: `hash = value`, optionally AND one condition on the sort key.
 * @throws ValidationException
 *
 * Source: DynamoDB API Reference "Query", KeyConditionExpression.
 */
export function parseKeyCondition(tokens: Tokens, [hash, range]: KeyShape): KeyRange {
  const terms = termsOf(tokens);
  const equality = terms.find(({ name, operator }) => name === hash?.name && operator === '=');
  if (!equality) throw invalid(`Query condition missed key schema element: ${hash?.name}`);
  const pk = keyBytes(hash as KeyPart, equality.values[0] as Value);
  const [other, ...more] = terms.filter((each) => each !== equality);
  if (!other) return { pk };
  if (range?.name !== other.name || more.length > 0) throw invalid('Query key condition not supported');
  return { pk, ...rangeOf(other, range) };
}

/** Terms between AND. Parentheses can enclose one or several terms. */
function termsOf(tokens: Tokens): Term[] {
  const terms: Term[] = [];
  do {
    if (tokens.take('(')) {
      terms.push(...termsOf(tokens));
      tokens.expect(')');
    } else terms.push(term(tokens));
  } while (tokens.take('AND'));
  return terms;
}

function term(tokens: Tokens): Term {
  if (tokens.peek() === 'begins_with') {
    const operator = tokens.next();
    tokens.expect('(');
    const name = tokens.attribute();
    tokens.expect(',');
    const values = [tokens.value()];
    tokens.expect(')');
    return { name, operator, values };
  }
  const name = tokens.attribute();
  const operator = tokens.next().toUpperCase();
  const values = [tokens.value()];
  if (operator === 'BETWEEN') {
    tokens.expect('AND');
    values.push(tokens.value());
  }
  return { name, operator, values };
}

function rangeOf({ operator, values }: Term, range: KeyPart): Omit<KeyRange, 'pk'> {
  const [first, last = first] = values.map((value) => keyBytes(range, value)) as [Buffer, Buffer?];
  // The next byte string after a given one is the same bytes with a zero byte at the end.
  const after = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(1)]);
  if (Buffer.compare(first, last) > 0) throw invalid('BETWEEN requires the lower bound to come first');
  if (operator === '=' || operator === 'BETWEEN') return { low: first, high: after(last) };
  if (operator === '<') return { high: first };
  if (operator === '<=') return { high: after(first) };
  if (operator === '>') return { low: after(first) };
  if (operator === '>=') return { low: first };
  if (operator === 'begins_with' && range.type !== 'N') return { low: first, high: afterPrefix(first) };
  throw invalid(`Unsupported operator on KeyCondition: ${operator}`);
}

/** Returns the first byte string after all strings that begin with `prefix`; undefined if there is none. */
function afterPrefix(prefix: Buffer): Buffer | undefined {
  const last = prefix.findLastIndex((byte) => byte < 0xff);
  if (last < 0) return undefined;
  const end = Buffer.from(prefix.subarray(0, last + 1));
  end.writeUInt8(end.readUInt8(last) + 1, last);
  return end;
}
