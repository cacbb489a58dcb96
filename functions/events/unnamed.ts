import type { DynamoDBRecord } from 'aws-lambda';
import { namedKeys } from '../../shared/store/binaries/attributes.ts';
import type { Attributes } from '../../shared/store/items/stored-value.ts';

/**
 * The keys of the bytes that an item named before a change and does not name after it. Every way to lose bytes is such
 * a change: PUT, DELETE, a patch, the removal of the item, bulk work.
 *
 * Source: Specification 2.29; DynamoDB Streams API Reference, "StreamRecord".
 */
export function unnamedKeys({ dynamodb }: DynamoDBRecord): string[] {
  const keysOf = (image: unknown): string[] => (image ? namedKeys(image as Attributes) : []);
  const after = new Set(keysOf(dynamodb?.NewImage));
  return keysOf(dynamodb?.OldImage).filter((key) => !after.has(key));
}
