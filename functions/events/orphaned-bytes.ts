import type { DynamoDBRecord } from 'aws-lambda';
import { attributesIn, type Image } from '../../shared/events/cloud-event.ts';
import { namedKeys } from '../../shared/store/form/binary-attributes.ts';

/**
 * The keys of the bytes that an item named before a change and does not name after it. Every way to lose bytes is such
 * a change: PUT, DELETE, a patch, the removal of the item, bulk work.
 *
 * Source: Specification 2.29; DynamoDB Streams API Reference, "StreamRecord".
 */
export function orphanedKeys({ dynamodb }: DynamoDBRecord): string[] {
  const keysOf = (image: Image | undefined): string[] => (image ? namedKeys(attributesIn(image)) : []);
  const after = new Set(keysOf(dynamodb?.NewImage));
  return keysOf(dynamodb?.OldImage).filter((key) => !after.has(key));
}
