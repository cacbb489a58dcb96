import { currentTime } from '../../../shared/aws/clock.ts';
import { sleep } from '../../../shared/concurrency/retry.ts';
import { storedRequest } from '../../../shared/http/request.ts';
import { begin } from '../../../shared/operations/accepting/defer.ts';
import { isFinal } from '../../../shared/operations/record/fields.ts';
import { attributesOf, itemOf } from '../../../shared/operations/record/record.ts';
import { UNDO_ALL_SCOPE, UNDO_SCOPE } from '../../../shared/resource/access/access.ts';
import { AUDIT_SCOPE } from '../../../shared/resource/access/sight.ts';
import type { Item } from '../../../shared/resource/item.ts';
import { UserError } from '../../user-error.ts';

/** The changes to take back. `owner`: the author of the undo, who sees its operation. */
export interface WantedUndo {
  readonly subject: string;
  readonly since: string | undefined;
  readonly until?: string | undefined;
  readonly over: boolean;
  readonly owner?: string | undefined;
}

const SCOPES = [UNDO_SCOPE, UNDO_ALL_SCOPE, AUDIT_SCOPE];

/**
 * Takes back what a subject has changed, as `POST /changes/undo` of an operator does: it writes the operation, which
 * the sweeper finds within a minute, and waits for the end. Returns the number of items that stay as they are.
 *
 * @throws UserError without a time, or if the undo fails
 */
export async function undo(
  { subject: by, since, until, over, owner = 'operators' }: WantedUndo,
  print: (line: string) => void,
): Promise<number> {
  if (since === undefined) throw new UserError('undo needs --since with a time such as 2026-11-21T09:00:00Z');
  const body = { since, by, ...(until === undefined ? {} : { until }), ...(over ? { over } : {}) };
  const content = Buffer.from(JSON.stringify(body));
  const now = currentTime();
  const path = '/changes/undo';
  const request = {
    ...{ method: 'POST', template: path, path, basePath: '', requestId: 'data undo', receivedAt: now },
    ...{ parameters: {}, query: new Map(), headers: { 'content-type': 'application/json' } },
    ...{ content: () => content, principal: { subject: owner, scopes: SCOPES } },
  };
  const outcome = await begin(
    { caller: { subject: owner }, now },
    {
      kind: 'changes.undo',
      handler: 'request',
      input: JSON.stringify(storedRequest(request)),
      // The sweeper sends the message of an overdue operation within a minute.
      dueAt: now,
    },
  );
  if (outcome.kind !== 'accepted') throw new UserError('The undo did not begin. Run the command again');
  const id = Number(outcome.item.id);
  print(`Operation ${id} takes back what ${by} has changed since ${since}`);
  return reported(await endOf(id), print);
}

/** Waits for the end of an operation. */
async function endOf(id: number): Promise<Item> {
  for (;;) {
    const attributes = await attributesOf(id);
    const item = attributes && itemOf(attributes);
    if (!item || isFinal(item)) return item ?? Promise.reject(new UserError(`Operation ${id} is gone`));
    await sleep(500);
  }
}

/** What the result of an undo has. */
interface Result {
  readonly restored?: number;
  readonly removed?: number;
  readonly unchanged?: number;
  readonly skipped?: readonly { readonly resource: string; readonly id?: unknown; readonly reason: string }[];
}

/** Prints the result. */
function reported({ values }: Item, print: (line: string) => void): number {
  if (values.status !== 'Succeeded')
    throw new UserError(`The undo is ${values.status}: ${JSON.stringify(values.error ?? {})}`);
  const { restored = 0, removed = 0, unchanged = 0, skipped = [] }: Result = Object(values.result);
  print(`${restored} changed back or brought back, ${removed} removed, ${unchanged} as before`);
  const { failed = skipped.length }: { readonly failed?: number } = Object(values.progress);
  for (const { resource, id, reason } of skipped)
    print(`left: /${resource}${id === undefined ? '' : `/${id}`}: ${reason}`);
  return Math.max(failed, skipped.length);
}
