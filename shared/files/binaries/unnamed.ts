import type { DynamoDBRecord } from 'aws-lambda';
import type { Description } from '../../resource/description/description.ts';
import type { Resource } from '../../resource/resource.ts';
import { namedKeys } from '../../store/binaries/attributes.ts';
import type { Attributes } from '../../store/items/stored-value.ts';

/**
 * The keys of the bytes that an item named before a change and does not name after it. Every way to lose bytes is such
 * a change: PUT, DELETE, a patch, the removal of the item, bulk work.
 *
 * Source: Specification 2.29; DynamoDB Streams API Reference, "StreamRecord".
 */
export function unnamedKeys({ description }: Resource, { dynamodb }: DynamoDBRecord): string[] {
  const keysOf = (image: unknown): string[] => {
    const attributes = image as Attributes | undefined;
    const described = description as Description;
    const id = attributes?.[described.identifier.name];
    return attributes ? namedKeys(described, id?.N ?? id?.S ?? '', attributes) : [];
  };
  const after = new Set(keysOf(dynamodb?.NewImage));
  return keysOf(dynamodb?.OldImage).filter((key) => !after.has(key));
}
