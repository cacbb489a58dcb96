import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { currentTime } from '../../shared/aws/clock.ts';
import { config } from '../../shared/aws/config.ts';
import { faultOf, log } from '../../shared/aws/log.ts';
import { IDEMPOTENCY_TABLE } from '../../shared/store/idempotency/answers.ts';
import { text } from '../../shared/store/items/attributes.ts';

/**
 * The key of the row with the subjects whose tokens the authorizer refuses, in the table of recorded answers. Its
 * attribute `subjects` is a set of texts. docs/operations.md has the commands that change it.
 */
export const DENIED_SUBJECTS = 'denied subjects';
/** Milliseconds for which a process keeps the row, so that requests cause few reads. */
const FRESH = 30_000;

let known: ReadonlySet<string> | undefined;
let readAt = Number.NEGATIVE_INFINITY;

/**
 * True if an operator denies the subject access. While DynamoDB does not respond, the last known row counts.
 *
 * @throws Error of the SDK if this process has never read the row
 */
export async function isDenied(subject: string): Promise<boolean> {
  const now = currentTime();
  if (known === undefined || now - readAt >= FRESH) {
    try {
      known = await deniedSubjects();
    } catch (error) {
      if (known === undefined) throw error;
      log('warn', { message: 'The authorizer cannot read the denied subjects', ...faultOf(error) });
    }
    readAt = now;
  }
  return known.has(subject);
}

async function deniedSubjects(): Promise<ReadonlySet<string>> {
  const { Item: row } = await dynamoDb().send(
    new GetItemCommand({
      TableName: config.tableName(IDEMPOTENCY_TABLE.name),
      Key: { [IDEMPOTENCY_TABLE.key]: text(DENIED_SUBJECTS) },
    }),
  );
  return new Set(row?.subjects?.SS);
}
