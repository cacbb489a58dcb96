import { type Put, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { currentTime } from '../../shared/aws/clock.ts';
import { CONCURRENCY, mapConcurrently } from '../../shared/concurrency/map-concurrently.ts';
import { attributesIn, isImported } from '../../shared/events/cloud-event.ts';
import { resourceOf } from '../../shared/events/records.ts';
import { keptDays, type Resource } from '../../shared/resource/resource.ts';
import type { Attributes } from '../../shared/store/form/attribute-value.ts';
import { CONSTRAINT, UPDATED, VERSION } from '../../shared/store/form/table.ts';
import { fileVersion, keeping, VERSIONS_TABLE } from '../../shared/store/history/versions-table.ts';
import { failureOf } from '../../shared/store/write/conflict.ts';
import { attributeNotExists, conditionExpression } from '../../shared/store/write/expression.ts';

/**
 * Keeps each version that a later one replaced, if its resource keeps versions. The key of a row is item and version, so
 * a repeated record keeps nothing again, and no row gets another content. A removal has kept its version itself.
 *
 * @throws Error of the SDK if DynamoDB does not respond
 *
 * Source: Specification 16.2; DynamoDB Streams API Reference, "StreamRecord".
 */
export async function keepSuperseded(
  registry: readonly Resource[],
  records: readonly DynamoDBRecord[],
): Promise<void> {
  // Without a history of items there is no table of versions.
  const keepsFiles = registry.some(({ history }) => history);
  const puts = records.flatMap((record) => {
    const resource = resourceOf(registry, record);
    const { OldImage, NewImage } = record.dynamodb ?? {};
    const days = keptDays([resource]);
    if (days !== undefined && keepsFiles && OldImage) return keptFile(resource, days, record);
    if (!resource.history || !OldImage || !NewImage) return [];
    const [before, after] = [attributesIn(OldImage), attributesIn(NewImage)];
    if (!isReplaced(before, after)) return [];
    return [keeping(resource, before, { ended: Number(after[UPDATED]?.N) })];
  });
  await mapConcurrently(CONCURRENCY.items, puts, async (put) => {
    const isNew = conditionExpression(attributeNotExists(VERSIONS_TABLE.key));
    try {
      await dynamoDb().send(new PutItemCommand({ ...put, ...isNew }));
    } catch (error) {
      if (!failureOf(error)) throw error;
    }
  });
}

/**
 * Returns the write that keeps the former row of a file, if another one replaced it or the file was removed: a file can return
 * to the version of the bucket that this row described. Its place is its time, because a removed file counts anew.
 */
function keptFile(resource: Resource, days: number, { dynamodb }: DynamoDBRecord): Put[] {
  const { OldImage, NewImage } = dynamodb ?? {};
  if (!OldImage || OldImage[CONSTRAINT]) return [];
  const before = attributesIn(OldImage);
  if (NewImage && NewImage[VERSION]?.N === before[VERSION]?.N) return [];
  if (NewImage) return [fileVersion(resource, before, { ended: Number(NewImage[UPDATED]?.N), days })];
  // A request has kept the row already, with its caller.
  const at = currentTime();
  return [fileVersion(resource, before, { ended: at, days, removal: { at } })];
}

/** True if a change made a new version of an item. An erasure leaves no version of what it erased. */
const isReplaced = (before: Attributes, after: Attributes): boolean =>
  !before[CONSTRAINT] && before[VERSION]?.N !== after[VERSION]?.N && !isImported(after);
