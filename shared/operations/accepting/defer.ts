import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { sendOperation } from '../../aws/clients/queue.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import { trace } from '../../aws/log.ts';
import { problem, Unavailable } from '../../http/problem.ts';
import { storedRequest } from '../../http/request.ts';
import type { JsonObject } from '../../json/value.ts';
import { ownerNumber } from '../../resource/access/owner.ts';
import type { Call, IdempotentRequest } from '../../resource/actions/action.ts';
import type { Deferral } from '../../resource/actions/capabilities.ts';
import { type Outcome, stale } from '../../resource/actions/outcome.ts';
import { expiry, number, structure, text } from '../../store/form/attributes.ts';
import { DUE_AT, PENDING } from '../../store/form/table.ts';
import { answerWrites, IDEMPOTENCY_TABLE } from '../../store/idempotency/answers.ts';
import { newIdentifier, newItem } from '../../store/write/new-item.ts';
import { agree } from '../../store/write/stored-inventory.ts';
import { insert, transact } from '../../store/write/transaction.ts';
import { insertion, newWriteToken } from '../../store/write/write-requests.ts';
import type { Handler } from '../record/fields.ts';
import { acceptedOutcome, storedOperations } from '../record/operations.ts';
import {
  changePart,
  EXPIRES,
  INPUT,
  ORIGIN,
  type Origin,
  RETENTION,
  redeliveryDelay,
} from '../record/record.ts';
import { ending, failureWith } from '../running/finish.ts';
import { waitForEnd } from './wait.ts';

/** Characters of a request that its record may hold. DynamoDB charges each change by the size of the record. */
const INLINE = 4000;

/** A new operation. `input`: its request, or the uploads that it waits for. */
export interface Beginning {
  readonly kind: string;
  /** Who owns it, if it is not the caller. */
  readonly owner?: string;
  /** The identifier, if an earlier step chose one: presigned URLs contain it. Otherwise `begin` chooses one. */
  readonly id?: number;
  /** `upload`: the operation starts with the status `Running`, without a worker. */
  readonly handler: Handler;
  readonly input?: string;
  readonly origin?: Origin;
  readonly total?: number;
  /** The time (ms since the epoch) after which the sweeper finds the operation; undefined: never. */
  readonly dueAt?: number;
  /** Properties that the response shows and the record does not hold. */
  readonly more?: JsonObject;
}

/**
 * Writes the record of a new operation, together with the recorded answer of its request. Returns `stale` if another
 * request recorded an answer under the same idempotency key, or if the chosen identifier exists.
 *
 * @throws Unavailable if DynamoDB or S3 does not respond
 */
export async function begin(
  { caller, idempotency, now }: Pick<Call, 'caller' | 'idempotency' | 'now'>,
  { kind, owner, id: chosen, handler, input, origin, total, dueAt, more }: Beginning,
): Promise<Extract<Outcome, { kind: 'accepted' | 'stale' }>> {
  for (;;) {
    const values = {
      kind,
      ...(handler === 'upload' ? { status: 'Running', startedAt: now } : { status: 'NotStarted' }),
      percentComplete: 0,
      progress: { done: 0, ...(total === undefined ? {} : { total }), failed: 0 },
      expiresAt: now + RETENTION,
    };
    const internal = { owner: ownerNumber(owner ?? caller.subject), handler };
    const id = chosen ?? newIdentifier(now);
    const item = { ...newItem(storedOperations, caller, now, values, id), internal };
    const inline = input === undefined || input.length <= INLINE;
    if (!inline) await orUnavailable((await import('../record/long-inputs.ts')).putInput(id, input));
    const write = newWriteToken();
    const agreed = await agree(storedOperations);
    const put = insertion(agreed, item, { write });
    const record = {
      ...put.Item,
      [EXPIRES]: expiry(now + RETENTION),
      ...(dueAt === undefined ? {} : { [PENDING]: number(id % agreed.shards), [DUE_AT]: number(dueAt) }),
      ...(origin === undefined ? {} : { [ORIGIN]: structure(origin) }),
      ...(inline && input !== undefined ? { [INPUT]: text(input) } : {}),
    };
    const outcome = { ...acceptedOutcome(item), more };
    const answers = idempotency && (await answerWrites(idempotency, outcome, now));
    const result = await insert(
      { ...put, Item: record },
      write,
      answers?.map((Put) => ({ Put })),
    );
    if (result === 'written') return outcome;
    if (result === 'repeated' || chosen !== undefined) return stale;
  }
}

/**
 * Turns a request into an operation. It writes the record and then sends the message. If SQS refuses the message, the
 * operation fails. After a crash between both, the sweeper sends the message.
 *
 * Source: Specification 7.12 and 7.14.
 *
 * @throws Unavailable if DynamoDB, S3 or SQS does not respond
 */
export const defer: Deferral['accept'] = async (action, deferred) => {
  const { caller, now, idempotency } = action;
  const { basePath, path, requestId } = deferred.request;
  const origin = { basePath, path, requestId, traceparent: trace.getStore() };
  const outcome = await begin(action, {
    kind: deferred.kind,
    handler: 'request',
    input: JSON.stringify(storedRequest(deferred.request)),
    origin,
    total: deferred.total,
    dueAt: now + redeliveryDelay(),
  });
  if (outcome.kind === 'stale') return outcome;
  const id = outcome.item.id as number;
  try {
    await orUnavailable(sendOperation(id, String(ownerNumber(caller.subject))));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    // SQS may have received the message, and only the response was lost. If a worker has started, do not fail.
    if (await failUndelivered(id, origin, idempotency)) throw error;
  }
  return outcome;
};

/**
 * Fails an operation after the send of its message failed. The same transaction deletes the recorded answer, so that
 * a retry starts a new operation. Returns false if the message arrived and a worker has already started.
 *
 * Source: Specification 7.12.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
async function failUndelivered(
  id: number,
  origin: Origin,
  idempotency: IdempotentRequest | undefined,
): Promise<boolean> {
  const stated = problem('unavailable', 'The operation could not start. Send the request again');
  const parts: TransactWriteItem[] = [
    { Update: changePart(id, ending(failureWith(stated, origin), { kind: 'notStarted' })) },
  ];
  if (idempotency) {
    const Key = { [IDEMPOTENCY_TABLE.key]: text(idempotency.id) };
    parts.push({ Delete: { TableName: config.tableName(IDEMPOTENCY_TABLE.name), Key } });
  }
  return !(await transact(parts));
}

/** Turns a request into an operation, and waits for its end. */
export const deferral: Deferral = { accept: defer, waitForEnd };
