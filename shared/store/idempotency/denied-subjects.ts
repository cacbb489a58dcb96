import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { currentTime } from '../../aws/clock.ts';
import { config } from '../../aws/config.ts';
import { faultOf, log } from '../../aws/log.ts';
import { text } from '../form/attributes.ts';
import { IDEMPOTENCY_TABLE } from './answers.ts';

/**
 * The key of the row with the subjects that operators deny access, in the table of recorded answers. Its attribute
 * `subjects` is a set of texts. The authorizer refuses their tokens, and work that keeps rights of a token ends.
 * docs/operations.md has the commands that change it.
 */
export const DENIED_SUBJECTS = 'denied subjects';
/** Milliseconds for which a process keeps the row, so that requests cause few reads. */
const FRESH = 30_000;

let known: ReadonlySet<string> | undefined;
let readAt = Number.NEGATIVE_INFINITY;

/**
 * True if an operator denies the subject access. While DynamoDB does not respond, the last known row counts. A caller of
 * an open service has no subject, and nothing is read for it.
 *
 * @throws Error of the SDK if this process has never read the row
 */
export async function isDenied(subject: string | undefined): Promise<boolean> {
  if (subject === undefined) return false;
  const now = currentTime();
  if (known === undefined || now - readAt >= FRESH) {
    try {
      known = await deniedSubjects();
    } catch (error) {
      if (known === undefined) throw error;
      log('warn', {
        message: 'The denied subjects cannot be read, so the last known ones count',
        ...faultOf(error),
      });
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
