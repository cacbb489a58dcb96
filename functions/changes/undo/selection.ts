import type { OperationMark } from '../../../shared/aws/log.ts';
import type { Fault } from '../../../shared/http/problem.ts';
import { isFinal } from '../../../shared/operations/record/fields.ts';
import { attributesOf, itemOf } from '../../../shared/operations/record/record.ts';
import { adviceOnScopes, UNDO_ALL_SCOPE } from '../../../shared/resource/access/access.ts';
import { type Caller, ownerNumber } from '../../../shared/resource/access/owner.ts';
import { AUDIT_SCOPE } from '../../../shared/resource/access/sight.ts';
import type { Calls } from '../../../shared/resource/actions/action.ts';
import { type Outcome, refused } from '../../../shared/resource/actions/outcome.ts';
import type { Resource } from '../../../shared/resource/resource.ts';

/** The clocks of functions differ by less, in ms. */
export const CLOCKS_MS = 60_000;

/** A change of an item in the past: its version, its time in ms since the epoch, its author and its operation. */
export interface PastChange {
  readonly version: number;
  readonly time: number;
  readonly by: string | undefined;
  readonly mark: OperationMark | undefined;
}

/** The changes that an undo takes back. */
export interface Selection {
  /** The times of the first and of the last of them, in ms since the epoch. */
  readonly since: number;
  readonly until: number;
  /** Whose changes: undefined is the author of changes without one, as in an open service. */
  readonly by: string | undefined;
  /** The operation that made them, of any author. */
  readonly operation: number | undefined;
  /** The names of the resources; undefined: all. */
  readonly resources: readonly string[] | undefined;
  /** True if the items whose later changes are of others go back, too. */
  readonly over: boolean;
  /** Who undoes, and sees the items of all owners if it may undo the changes of others. */
  readonly caller: Caller;
  /** True if the caller sees authors. */
  readonly seesAuthors: boolean;
}

/** True if the undo takes the change back. */
export const isSelected = (
  { since, until, by, operation }: Selection,
  { time, by: author, mark }: Omit<PastChange, 'version'>,
): boolean =>
  time >= since && time <= until && (operation === undefined ? author === by : mark?.operation === operation);

/**
 * Reads which changes a request selects: none after the request. Returns a refusal if the body contradicts itself, or if the caller lacks the scope for the changes of others.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function readSelection(
  registry: readonly Resource[],
  { caller, body, now: present, work }: Calls['customOfList'],
): Promise<({ readonly kind: 'selection' } & Selection) | Extract<Outcome, { kind: 'refused' }>> {
  const now = work?.acceptedAt ?? present;
  const { since, until, by, resources, operation, over = false }: Body = body;
  const faults: Fault[] = [];
  const refuse = (name: keyof Body, detail: string) => void faults.push({ pointer: `/${name}`, detail });
  if ((since === undefined) === (operation === undefined))
    refuse('since', 'must be given, or operation in its place');
  if (operation !== undefined && (until !== undefined || by !== undefined))
    refuse('operation', 'selects the changes alone: leave until and by out');
  const unknown = resources?.filter((name) => !undoable(registry).some((one) => one.name === name)) ?? [];
  if (unknown.length > 0)
    refuse(
      'resources',
      `must be of ${undoable(registry)
        .map(({ name }) => name)
        .join(', ')}`,
    );
  const begun = operation === undefined ? undefined : await operationOf(operation);
  if (operation !== undefined && !begun) refuse('operation', 'names no operation of the last seven days');
  if (faults.length > 0)
    return refused('validation-error', 'The undo is not valid. Correct the named properties', {
      errors: faults,
    });
  const may = (scope: string) => caller.subject === undefined || caller.scopes?.includes(scope) === true;
  const isOwn = begun
    ? begun.owner === ownerNumber(caller.subject)
    : by === undefined || by === caller.subject;
  if ((over || !isOwn) && !may(UNDO_ALL_SCOPE))
    return refused('forbidden', adviceOnScopes([UNDO_ALL_SCOPE]), { scopes: [UNDO_ALL_SCOPE] });
  if (begun && !begun.isFinal)
    return refused('conflict', `Operation ${operation} has not ended. Cancel it, or wait for its end`);
  return {
    kind: 'selection',
    since: begun ? begun.time - CLOCKS_MS : Date.parse(String(since)),
    until: Math.min(now, until === undefined ? now : Date.parse(until)),
    by: by ?? caller.subject,
    operation,
    resources,
    over,
    caller: may(UNDO_ALL_SCOPE) ? { ...caller, isManager: true } : caller,
    seesAuthors: caller.subject !== undefined && may(AUDIT_SCOPE),
  };
}

/** The values of a body. The validator has checked their types. */
interface Body {
  readonly since?: string;
  readonly until?: string;
  readonly by?: string;
  readonly resources?: readonly string[];
  readonly operation?: number;
  readonly over?: boolean;
}

/** Returns the resources of a service whose items an undo may concern, also those without history. */
export const undoable = (registry: readonly Resource[]): readonly Resource[] =>
  registry.filter(({ name, table, tracked }) => table && !tracked && name !== 'subscriptions');

/** The owner of an operation, its beginning and whether it has ended; undefined: there is no such operation. */
async function operationOf(id: number) {
  const attributes = await attributesOf(id);
  if (!attributes) return undefined;
  const item = itemOf(attributes);
  return { owner: item.internal.owner, time: item.createdAt, isFinal: isFinal(item) };
}
