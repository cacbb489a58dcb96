import type { _Record } from '@aws-sdk/client-dynamodb-streams';
import type { StreamRecord } from '../../engines/dynamodb/streams/record.ts';

/** Converts an SDK record to its wire form, which Lambda passes on: bytes in base64, times in seconds. */
export function asWritten({ dynamodb, ...record }: _Record): StreamRecord {
  const at = (dynamodb?.ApproximateCreationDateTime?.getTime() ?? 0) / 1000;
  return written({ ...record, dynamodb: { ...dynamodb, ApproximateCreationDateTime: at } }) as StreamRecord;
}

function written(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(written);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, written(each)]));
}
