import { createHash } from 'node:crypto';
import { keyNames } from '../key.ts';
import type { Table } from '../tables/table.ts';
import { itemSize } from '../values/size.ts';
import { type Item, pick } from '../values/value.ts';
import type { Change } from './changes.ts';

/** A change on the wire. Source: DynamoDB Streams API Reference "Record", "StreamRecord". */
export interface StreamRecord {
  eventID: string;
  eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  eventVersion: string;
  eventSource: string;
  awsRegion: string;
  dynamodb: {
    /** Seconds. */
    ApproximateCreationDateTime: number;
    Keys: Item;
    NewImage?: Item;
    OldImage?: Item;
    SequenceNumber: string;
    SizeBytes: number;
    StreamViewType: string;
  };
  userIdentity?: { Type: string; PrincipalId: string };
}

const DIGITS = 20;

/** Formats the number of a change like DynamoDB: with at least 21 digits, so that texts have the order of numbers. */
export const sequenceNumber = (seq: number): string => `1${String(seq).padStart(DIGITS, '0')}`;

/** Parses the number of a change; undefined if the text is not from this engine. */
export const parseSequenceNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^1[0-9]{20}$/.test(text) ? Number(text.slice(1)) : undefined;

/** Returns the record of a change. It is the same at each read. */
export function recordOf(table: Table, { seq, at, old_doc, new_doc, expired }: Change): StreamRecord {
  const OldImage: Item | undefined = old_doc === null ? undefined : JSON.parse(old_doc);
  const NewImage: Item | undefined = new_doc === null ? undefined : JSON.parse(new_doc);
  const Keys = pick(NewImage ?? OldImage ?? {}, keyNames(table));
  const parts = [Keys, ...(NewImage ? [NewImage] : []), ...(OldImage ? [OldImage] : [])];
  return {
    eventID: createHash('md5').update(`${table.description.LatestStreamArn} ${seq}`).digest('hex'),
    eventName: OldImage ? (NewImage ? 'MODIFY' : 'REMOVE') : 'INSERT',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'us-east-1',
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(at / 1000),
      Keys,
      ...(NewImage && { NewImage }),
      ...(OldImage && { OldImage }),
      SequenceNumber: sequenceNumber(seq),
      SizeBytes: parts.reduce((sum, part) => sum + itemSize(part), 0),
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    },
    ...(expired === 1 && { userIdentity: { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' } }),
  };
}
