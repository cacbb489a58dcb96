import { Fault, invalid } from '../../fault.ts';
import type { Table, Tables } from '../tables.ts';

/** The one shard of every stream. It is never closed. */
export const SHARD = 'shardId-00000000000000000000-00000001';

/** How long an iterator can be used. Source: DynamoDB Streams API Reference "GetShardIterator". */
const ITERATOR_MS = 15 * 60 * 1000;

/** The table of a stream. @throws ResourceNotFoundException */
export function tableOfStream(tables: Tables, arn: string | undefined): Table {
  if (typeof arn !== 'string') throw invalid('The parameter StreamArn is required');
  const table = [...tables.all()].find(({ description }) => description.LatestStreamArn === arn);
  if (!table) throw new Fault('ResourceNotFoundException', `Requested resource not found: Stream: ${arn}`);
  return table;
}

/** A place in a shard: behind the change of that number. */
export const iteratorAt = (arn: string, seq: number, now: number): string =>
  `${arn}|1|${Buffer.from(JSON.stringify({ seq, now })).toString('base64')}`;

/** Reads a place. @throws ValidationException, ExpiredIteratorException */
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
