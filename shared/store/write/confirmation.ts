import type { Put } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import { sameVersion } from './parts.ts';
import { STALE, type WriteResult } from './results.ts';
import { transact } from './transaction.ts';

/**
 * The result of a replacement that changes nothing. If there is an answer to record, the item must still have the
 * version that was read. @throws Unavailable if DynamoDB does not respond
 */
export async function confirmUnchanged(
  resource: Resource,
  item: Item,
  answers: readonly Put[] = [],
): Promise<WriteResult> {
  const parts = [{ ConditionCheck: sameVersion(resource, item) }, ...answers.map((one) => ({ Put: one }))];
  const failed = answers.length > 0 && (await transact(parts));
  return failed ? STALE : { kind: 'written', item };
}
