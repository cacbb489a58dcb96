import { registry } from '../../../service/registry.ts';
import { currentTime } from '../../../shared/aws/clock.ts';
import { type Performed, performedWork } from '../../../shared/flow/perform.ts';
import { begin } from '../../../shared/operations/accepting/defer.ts';
import { redeliveryDelay } from '../../../shared/operations/record/record.ts';
import type { Work } from '../../../shared/resource/actions/work.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { backfill, isBackfillable } from './backfill.ts';

/**
 * A message of the queue of operations. An operator begins a backfill by a message with `backfill`, the name of a
 * resource, and a new `operationId`. The caller with the subject `owner` sees the operation.
 */
export interface OperationMessage {
  readonly operationId: number;
  readonly backfill?: string;
  readonly owner?: string;
}

/**
 * Writes the record of a backfill, unless an earlier delivery of the message did.
 * @throws Error if no resource of this name can have a backfill
 * @throws Unavailable if DynamoDB does not respond
 */
export async function beginBackfill({ operationId, backfill: name = '', owner }: OperationMessage) {
  resourceCalled(name);
  const now = currentTime();
  await begin(
    { caller: { subject: owner }, now },
    {
      kind: `${name}.backfill`,
      id: operationId,
      handler: 'backfill',
      input: JSON.stringify({ resource: name }),
      dueAt: now + redeliveryDelay(),
    },
  );
}

/** Runs a backfill from its checkpoint. `input`: the input of its operation. @throws Unavailable */
export async function performBackfill(input: string, work: Work): Promise<Performed> {
  const { resource } = JSON.parse(input) as { resource: string };
  return performedWork(await backfill(resourceCalled(resource), work));
}

function resourceCalled(name: string): Resource {
  const found = registry.find((one) => one.name === name && isBackfillable(one));
  if (!found) throw new Error(`There are no items of '${name}' to backfill`);
  return found;
}
