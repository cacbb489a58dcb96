import { config } from '../../shared/aws/config.ts';
import { type PolledOperation, pollOperation } from '../../shared/operations/accepting/wait.ts';
import { handlerOf, isFinal } from '../../shared/operations/record/fields.ts';
import {
  acceptedOutcome,
  awaitsClient,
  needsLinks,
  pathOf,
} from '../../shared/operations/record/operations.ts';
import { type Caller, ownerNumber } from '../../shared/resource/access/owner.ts';
import type { Action, ItemCall } from '../../shared/resource/actions/action.ts';
import {
  done,
  foundItem,
  listed,
  missing,
  type Outcome,
  refused,
  stale,
} from '../../shared/resource/actions/outcome.ts';
import type { Item } from '../../shared/resource/item.ts';
import type { PageQuery } from '../../shared/resource/lists/page.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { runnerOf } from '../../shared/resource/schedule.ts';
import type { OnItem } from '../../shared/resource/styles/action-endpoints.ts';
import { RETRY_SECONDS } from '../../shared/store/idempotency/waiting-places.ts';
import { listingOutcome } from '../../shared/store/items/outcomes.ts';
import { Pages } from '../../shared/store/lists/pages.ts';
import { cancel } from './cancel.ts';

/** False after the retention time: DynamoDB may remove an expired item days later. */
const isRetained = ({ values }: Item, now: number): boolean => (values.expiresAt as number) > now;

const finished = ({ values: { status } }: Item, consequence: string): Outcome =>
  refused('operation-finished', `This operation is ${status}: ${consequence}`, {
    members: { currentStatus: status },
  });
const NOT_CANCELABLE = 'it cannot be cancelled. Read its result';
const WAITS_NO_MORE = 'it waits for no more files. Announce them again';

/** The actions of operations. `cancelable` reads an operation for the form that cancels it. */
export interface OperationActions {
  readonly list: Action<'list'>;
  readonly read: OnItem;
  readonly cancelable: OnItem;
  readonly remove: OnItem;
  readonly renew: OnItem;
}

/**
 * The outcome of a read of an operation that was to wait up to `waitMs` ms. `seeOther` leads to the resource that it
 * created.
 */
const found = ({ item, waited }: PolledOperation, waitMs: number | undefined): Outcome => ({
  kind: 'found',
  state: { kind: 'item', item },
  location: pathOf(item.id),
  seeOther: item.internal.location === undefined ? undefined : String(item.internal.location),
  retryAfter: isFinal(item) ? undefined : waited ? 1 : RETRY_SECONDS,
  ...(waitMs === undefined || !waited || awaitsClient(item)
    ? {}
    : { waited: Math.min(waitMs, config.maximumWait()) / 1000 }),
});

/** The scope that shows the runs of schedules. No request cancels one. */
export const RUNS_SCOPE = 'operations:read';

/** True if a caller sees the runs of schedules: each caller of an open service does. */
const seesRuns = ({ subject, scopes = [] }: Caller): boolean =>
  subject === undefined || scopes.includes(RUNS_SCOPE);

const isOwned = ({ internal }: Item, { subject }: Caller): boolean => internal.owner === ownerNumber(subject);

/** The actions of operations. A caller sees only its own operations. Source: Specification 11.4. */
export function operationActions(operations: Resource) {
  const pages = new Pages(operations);

  /** Returns the number of the owner that a list shows, and the filters of it without the one that names a schedule. */
  const listedBy = (page: PageQuery, subject: string | undefined) => {
    const named = page.filters.find(({ field, operator }) => field === 'schedule' && operator === '=');
    const [name] = named?.values ?? [];
    if (name === undefined) return { value: ownerNumber(subject), page };
    const filters = page.filters.filter((one) => one !== named);
    return { value: ownerNumber(runnerOf(String(name))), page: { ...page, filters } };
  };

  /** Waits `waitMs` ms for the operation's end and returns it. Undefined if the caller does not own it. */
  async function polled(
    { caller, id, waitMs = 0, now }: ItemCall,
    showsRuns = false,
  ): Promise<PolledOperation | undefined> {
    const isShown = (item: Item) =>
      (isOwned(item, caller) || (showsRuns && handlerOf(item) === 'schedule' && seesRuns(caller))) &&
      isRetained(item, now);
    return pollOperation(id, { caller, waitMs }, isShown);
  }
  const own = async (input: ItemCall) => (await polled(input))?.item;

  return {
    list: async ({ caller, page: wanted, now }) => {
      const { value, page } = listedBy(wanted, caller.subject);
      const listing = await pages.list(caller, page, { field: '_owner', value });
      if (listing.kind !== 'page') return listingOutcome(listing);
      const items = listing.page.items.filter((one) => isRetained(one, now));
      return listed({ ...listing.page, items });
    },

    read: async (input) => {
      const read = await polled(input, true);
      return read ? found(read, input.waitMs) : missing();
    },

    /** Finds the operation for the form that asks for confirmation of its cancellation. */
    cancelable: async (input) => {
      const item = await own(input);
      if (!item) return missing();
      return isFinal(item) ? finished(item, NOT_CANCELABLE) : foundItem(item);
    },

    /** Cancels the operation; refuses if it has ended. If the request had a precondition, `current` met it. It can be the run of a schedule. */
    remove: async (input) => {
      const item = input.current ?? (await own({ ...input, waitMs: 0 }));
      if (!item || !isOwned(item, input.caller)) return missing();
      if (isFinal(item)) return finished(item, NOT_CANCELABLE);
      if (item.values.status === 'Canceling') return acceptedOutcome(item);
      const canceled = await cancel(item, input.now);
      if (!canceled) return stale;
      return isFinal(canceled) ? done : acceptedOutcome(canceled);
    },

    /** Signs the upload links again. An operation that never waited for files has no such links. */
    renew: async (input: ItemCall): Promise<Outcome> => {
      const item = await own({ ...input, waitMs: 0 });
      if (!item) return missing();
      if (handlerOf(item) !== 'upload') return missing(`Operation ${input.id} waits for no files`);
      // The first renewal loads the code, because few operations need one.
      const links = needsLinks(item) && (await (await import('./renew.ts')).renewed(input.id, input.now));
      return links ? { ...acceptedOutcome(item), ...links } : finished(item, WAITS_NO_MORE);
    },
  } satisfies OperationActions;
}
