import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { config } from '../../../shared/aws/config.ts';
import { isNamed, orUnavailable } from '../../../shared/aws/faults.ts';
import { sleep } from '../../../shared/concurrency/retry.ts';
import { problem } from '../../../shared/http/problem.ts';
import type { Outcome } from '../../../shared/resource/actions/outcome.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { keyValue } from '../../../shared/store/form/attributes.ts';
import { isTotalName } from '../../../shared/store/form/constraint-rows.ts';
import { formOf, isSameForm, isSettled } from '../../../shared/store/form/inventory.ts';
import { type Index, tableOf } from '../../../shared/store/form/table.ts';
import { compare, readExpression } from '../../../shared/store/write/expression.ts';
import {
  agree,
  inventoryOf,
  inventoryTimes,
  replaceInventory,
} from '../../../shared/store/write/stored-inventory.ts';

/** The findings of a backfill. `since`: no function has written another form since this time, in ms since the epoch. */
export interface Findings {
  readonly since: number;
  readonly isReadable: boolean;
  readonly isUnique: boolean;
}

/**
 * Waits until every function writes items in the form of this release. Returns the time of the last change.
 * @throws Unavailable if DynamoDB does not respond
 */
export async function settledSince(resource: Resource): Promise<number> {
  for (;;) {
    await agree(resource);
    const inventory = await inventoryOf(resource);
    const times = inventoryTimes();
    if (!inventory || isSettled(inventory, times)) return inventory?.since ?? 0;
    await sleep(inventory.since + times.settling - times.now);
  }
}

/**
 * Records that all items have the form of this release. Readers then use its indexes. Returns the refusal if this is
 * not so: another release wrote items meanwhile, or DynamoDB has not created an index.
 * @throws Unavailable if DynamoDB does not respond
 */
export async function completeInventory(
  resource: Resource,
  { since, isReadable, isUnique }: Findings,
): Promise<Outcome | undefined> {
  const { form } = formOf(resource);
  const before = await inventoryOf(resource);
  if (!before || before.since !== since || !isSameForm(before.written, form))
    return again('Another release wrote items meanwhile. Complete the deployment first');
  const { indexes } = tableOf(resource);
  const states = await Promise.all(indexes.map((index) => isReady(resource, index)));
  const missing = indexes.filter((_, at) => !states[at]).map(({ name }) => name);
  const complete = {
    version: isReadable ? form.version : before.complete.version,
    indexes: isReadable ? form.indexes.filter((name) => !missing.includes(name)) : before.complete.indexes,
    unique: form.unique.filter(
      (name) => isUnique || isTotalName(name) || before.complete.unique.includes(name),
    ),
  };
  const isStored = await replaceInventory(resource, before, { ...before, complete });
  if (!isStored) return completeInventory(resource, { since, isReadable, isUnique });
  return missing.length === 0
    ? undefined
    : again(`DynamoDB has not created ${missing.join(', ')} yet. Deploy until each index is ACTIVE`);
}

const again = (reason: string): Outcome => ({
  kind: 'refused',
  problem: problem('conflict', `${reason}, and then run the backfill again`),
});

/** True if DynamoDB serves an index. Source: Amazon DynamoDB Developer Guide, "Managing Global Secondary Indexes". */
async function isReady(resource: Resource, { name, partition, partitionType }: Index): Promise<boolean> {
  const value = keyValue(partitionType === 'N' ? 0 : '-');
  try {
    await orUnavailable(
      dynamoDb().send(
        new QueryCommand({
          TableName: config.tableName(resource.name),
          IndexName: name,
          ...readExpression({ key: compare(partition, '=', value) }),
          Limit: 1,
        }),
      ),
    );
    return true;
  } catch (error) {
    if (isNamed(error, 'ValidationException') || isNamed(error, 'ResourceNotFoundException')) return false;
    throw error;
  }
}
