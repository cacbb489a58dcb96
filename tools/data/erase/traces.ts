import { DeleteItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { config } from '../../../shared/aws/config.ts';
import { isFinal } from '../../../shared/operations/record/fields.ts';
import { INPUTS } from '../../../shared/operations/record/long-inputs.ts';
import { OPERATION_FACTS } from '../../../shared/operations/record/operations.ts';
import { itemOf } from '../../../shared/operations/record/record.ts';
import { keyAttribute, text } from '../../../shared/store/form/attributes.ts';
import { IDEMPOTENCY_TABLE, recordedAnswerOf } from '../../../shared/store/idempotency/answers.ts';
import { itemRows } from '../../../shared/store/items/read-items.ts';
import { attributeExists, updateExpression } from '../../../shared/store/write/expression.ts';
import type { Erased } from './subject.ts';
import { purge } from './versions.ts';

/** The response to a repeated request after the erasure: it had its effect, and there is nothing to show. */
const BLANK = JSON.stringify({ status: 204, headers: {} });

/** A test whether a text names one of these items. Identifiers are long numbers, so other numbers seldom equal them. */
function naming(items: readonly Erased[]): (text: string) => boolean {
  const ids = new Set(items.map(({ id }) => String(id)));
  return (searched) => (searched.match(/[0-9]+/g) ?? []).some((digits) => ids.has(digits));
}

/**
 * Empties the recorded answers that name one of these items. The records stay until they expire, so that a repeated
 * request still has no second effect. Returns the number of answers.
 */
export async function eraseAnswers(items: readonly Erased[]): Promise<number> {
  const names = naming(items);
  const TableName = config.tableName(IDEMPOTENCY_TABLE.name);
  let emptied = 0;
  for await (const row of itemRows(TableName)) {
    const id = row[IDEMPOTENCY_TABLE.key]?.S ?? '';
    // Other rows of a long answer have no fingerprint.
    if (!row.fingerprint) continue;
    const recorded = await recordedAnswerOf({ id }, Date.now());
    if (recorded.kind !== 'answered' || !names(JSON.stringify(recorded.answer ?? ''))) continue;
    for (let at = Number(row.rows?.N ?? 1) - 1; at >= 1; at -= 1)
      await dynamoDb().send(
        new DeleteItemCommand({ TableName, Key: { [IDEMPOTENCY_TABLE.key]: text(`${id}#${at}`) } }),
      );
    const changes = { set: { answer: text(BLANK) }, remove: ['packed', 'rows'] };
    await dynamoDb().send(
      new UpdateItemCommand({
        TableName,
        Key: { [IDEMPOTENCY_TABLE.key]: text(id) },
        ...updateExpression(changes, attributeExists(IDEMPOTENCY_TABLE.key)),
      }),
    );
    emptied += 1;
  }
  return emptied;
}

/**
 * Removes the ended operations that name one of these items, and the inputs of all ended operations. `running`: the
 * operations that have not ended; their inputs can name the items.
 */
export async function eraseOperations(
  items: readonly Erased[],
): Promise<{ readonly removed: number; readonly running: number }> {
  const names = naming(items);
  const TableName = config.tableName(OPERATION_FACTS.name);
  const active = new Set<string>();
  let removed = 0;
  for await (const row of itemRows(TableName)) {
    const operation = itemOf(row);
    if (!isFinal(operation)) {
      active.add(`${INPUTS}${operation.id}`);
    } else if (names(JSON.stringify(row))) {
      const Key = keyAttribute(OPERATION_FACTS.description, operation.id);
      await dynamoDb().send(new DeleteItemCommand({ TableName, Key }));
      removed += 1;
    }
  }
  await purge(INPUTS, (key) => !active.has(key));
  return { removed, running: active.size };
}
