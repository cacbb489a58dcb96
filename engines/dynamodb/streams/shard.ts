import { Fault, invalid } from '../../fault.ts';
import type { Table } from '../tables/table.ts';
import type { Tables } from '../tables/tables.ts';

/** The only shard of every stream. It never closes. */
export const SHARD = 'shardId-00000000000000000000-00000001';

/** Lifetime of an iterator in ms. Source: DynamoDB Streams API Reference "GetShardIterator". */
const ITERATOR_MS = 15 * 60 * 1000;

/**
 * Returns the table of a stream. @throws ResourceNotFoundException
 */
export function tableOfStream(tables: Tables, arn: string | undefined): Table {
  if (typeof arn !== 'string') throw invalid('The parameter StreamArn is required');
  const table = [...tables.all()].find(({ description }) => description.LatestStreamArn === arn);
  if (!table) throw new Fault('ResourceNotFoundException', `Requested resource not found: Stream: ${arn}`);
  return table;
}

/** Formats an iterator: the position after the change with that number. */
export const iteratorAt = (arn: string, seq: number, now: number): string =>
  `${arn}|1|${Buffer.from(JSON.stringify({ seq, now })).toString('base64')}`;

/**
 * Parses an iterator. @throws ValidationException, ExpiredIteratorException
 */
export function readIterator(text: string | undefined, now: number): { arn: string; seq: number } {
  const [arn = '', , encoded = ''] = (text ?? '').split('|');
  try {
    const { seq, now: made } = JSON.parse(Buffer.from(encoded, 'base64').toString());
    if (!Number.isSafeInteger(seq)) throw invalid('Invalid ShardIterator');
    if (!(now - made < ITERATOR_MS)) throw new Fault('ExpiredIteratorException', 'Iterator expired');
    return { arn, seq };
  } catch (error) {
    throw error instanceof Fault ? error : invalid('Invalid ShardIterator');
  }
}
