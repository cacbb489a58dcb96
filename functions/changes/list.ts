import { UNITS_OF_ITEM, unitsLeft } from '../../shared/aws/read-budget.ts';
import { sleep } from '../../shared/concurrency/retry.ts';
import { type CloudEvent, withData } from '../../shared/events/cloud-event.ts';
import type { EventSource } from '../../shared/events/webhooks/matching.ts';
import { formatLinks } from '../../shared/http/fields/link.ts';
import { MAXIMUM_TEXT } from '../../shared/http/maximum-sizes.ts';
import { withBasePath } from '../../shared/representations/item.ts';
import { adviceOnScopes } from '../../shared/resource/access/access.ts';
import { ownerOf } from '../../shared/resource/access/owner.ts';
import { AUDIT_SCOPE, hasScope, sightOf } from '../../shared/resource/access/sight.ts';
import type { Calls } from '../../shared/resource/actions/action.ts';
import { found, type Outcome, refused } from '../../shared/resource/actions/outcome.ts';
import { descriptionOf, type Resource } from '../../shared/resource/resource.ts';
import { authorsOf, fromAttributes, identifierOf } from '../../shared/store/form/attributes.ts';
import { isRemoval, resourceOfPartition } from '../../shared/store/form/log-table.ts';
import { isVisible } from '../../shared/store/form/owner.ts';
import { VERSION } from '../../shared/store/form/table.ts';
import { Versions } from '../../shared/store/history/versions.ts';
import { RETRY_SECONDS, waitInPlace } from '../../shared/store/idempotency/waiting-places.ts';
import type { Budget } from '../../shared/store/lists/reading/partition-reader.ts';
import { type ChangesQuery, readChangesQuery } from './changes-query.ts';
import { follow, type Row } from './follow.ts';
import { type LogPlace, locate } from './places.ts';

/** The most rows that one request reads: a filter can drop most of them. */
const MOST_ROWS = 2000;
/** The rows that the look for the author of a removal counts as: it reads the history of the item. */
const ROWS_OF_REMOVAL = 20;
/** The most bytes of the events of a page as JSON text. HTML, the longest format, has at most four times as many. */
const MOST_BYTES = MAXIMUM_TEXT / 4;
/** The longest time that a request waits for a change, in ms. API Gateway ends it after 29 s. */
const LONGEST_WAIT_MS = 20_000;
/** Milliseconds between two looks. */
const PAUSE_MS = 250;

/** A page of the log. `places`: those after its changes. */
type Page =
  | { readonly kind: 'page'; readonly events: readonly CloudEvent[]; readonly places: readonly LogPlace[] }
  | { readonly kind: 'gone' };

/** Lists the changes of these resources, oldest first. Source: Specification 17. */
export async function list(
  tracked: readonly Resource[],
  sources: readonly EventSource[],
  input: Calls['changes'],
): Promise<Outcome> {
  const wanted = readChangesQuery(tracked, sources, input);
  const { ignored } = input;
  if ('faults' in wanted)
    return refused('validation-error', 'The query is not valid. Correct the named parameters', {
      errors: wanted.faults,
    });
  const { by } = wanted;
  const { subject } = input.caller;
  if (by !== undefined && subject !== undefined && by !== subject && !hasScope(input.reader, AUDIT_SCOPE))
    return refused('forbidden', adviceOnScopes([AUDIT_SCOPE]), { scopes: [AUDIT_SCOPE] });
  const waitMs = Math.min(input.waitMs ?? 0, LONGEST_WAIT_MS);
  const { page, waited } = await firstPage(wanted, input, waitMs);
  if (page.kind === 'gone') return gone([...wanted.resources.keys()], input);
  const { events, places } = page;
  return {
    ...found({
      kind: 'document',
      name: 'changes',
      members: { items: events, limit: wanted.limit, ...(ignored.length > 0 ? { ignored } : {}) },
      links: [{ rel: 'next', href: wanted.next(new Map(places.map((one) => [one.partition, one]))) }],
      plain: JSON.stringify(events),
      headers: { Vary: 'Accept, Prefer', ...(waited ? {} : { 'Retry-After': String(RETRY_SECONDS) }) },
    }),
    ...(waitMs > 0 && waited ? { waited: waitMs / 1000 } : {}),
  };
}

/**
 * The first page with a change, or the last one before the wait ends. `waited`: false if the service did not wait,
 * because it had no place for that.
 */
async function firstPage(
  asked: ChangesQuery,
  input: Calls['changes'],
  waitMs: number,
): Promise<{ readonly page: Page; readonly waited: boolean }> {
  const until = performance.now() + waitMs;
  const budget = { rows: MOST_ROWS, keep: 0 };
  let { starts } = asked;
  const read = async () => {
    const page = await readPage({ ...asked, starts }, input, budget);
    if (page.kind === 'page') starts = page.places;
    return page;
  };
  const ends = (page: Page) =>
    page.kind === 'gone' ||
    page.events.length > 0 ||
    performance.now() >= until ||
    budget.rows <= 0 ||
    unitsLeft() < UNITS_OF_ITEM;
  const first = await read();
  if (ends(first)) return { page: first, waited: true };
  const page = await waitInPlace(input.caller.subject, waitMs, async () => {
    for (;;) {
      await sleep(Math.min(PAUSE_MS, until - performance.now()));
      const next = await read();
      if (ends(next)) return next;
    }
  });
  return { page: page ?? first, waited: page !== undefined };
}

/** Reads one page. */
async function readPage(asked: ChangesQuery, input: Calls['changes'], budget: Budget): Promise<Page> {
  const places = await locate(asked.starts);
  if (!places) return { kind: 'gone' };
  const passed = new Map<string, number>();
  const events: CloudEvent[] = [];
  let bytes = 0;
  const before = new Map<string, number>();
  const rows = follow(places, { count: asked.limit, budget, now: input.now }, before);
  for await (const row of rows) {
    if (row.kind === 'gone') return row;
    const event = eventIn(row, asked, input);
    if (event && asked.by !== undefined && isRemoval(event, row.image)) {
      if (budget.rows <= 0) break;
      budget.rows -= ROWS_OF_REMOVAL;
    }
    if (event && (asked.by === undefined || (await authorOf(row, event, asked, input)) === asked.by)) {
      bytes += Buffer.byteLength(JSON.stringify(event));
      if (events.length === asked.limit || (events.length > 0 && bytes > MOST_BYTES)) break;
      events.push(event);
    }
    passed.set(row.partition, row.position);
  }
  // Each place becomes that of a change, so the next link is the same until there is another change.
  const placeIn = ({ partition, after }: LogPlace) => passed.get(partition) ?? before.get(partition) ?? after;
  const after = places.map((one) => ({ ...one, isByTime: false, after: placeIn(one) }));
  return { kind: 'page', events, places: after };
}

/** The event in a row, as the caller may see it; undefined if the caller may not, or does not want it. */
function eventIn(
  { partition, position, event: text, image }: Row,
  { resources, wants }: ChangesQuery,
  { caller, reader }: Calls['changes'],
): CloudEvent | undefined {
  const resource = resources.get(resourceOfPartition(partition));
  if (!resource || text === '' || !isVisible(image, ownerOf(resource, caller))) return undefined;
  const event: CloudEvent = JSON.parse(text);
  if (!wants(event, position)) return undefined;
  const description = descriptionOf(resource);
  return withData(event, resource, fromAttributes(description, image), sightOf(description, reader));
}

/** Returns the author of a change. The row of a removal names none, so the history of the item does. */
async function authorOf(
  { image, partition }: Row,
  event: CloudEvent,
  { resources }: ChangesQuery,
  { caller }: Calls['changes'],
): Promise<string | undefined> {
  const resource = resources.get(resourceOfPartition(partition));
  if (!resource || !isRemoval(event, image)) return authorsOf(image).updatedBy;
  const versions = new Versions(resource, caller, identifierOf(descriptionOf(resource), image));
  return (await versions.version(Number(image[VERSION]?.N)))?.removal?.by;
}

/** The problem for a reader for whom the log lacks changes: it reads the collections, and goes on from `changes`. */
function gone(resources: readonly string[], { basePath, now }: Calls['changes']): Outcome {
  const since = encodeURIComponent(new Date(now).toISOString());
  const links = withBasePath(
    [
      ...resources.map((name) => ({ rel: 'collection', href: `/${name}` })),
      { rel: 'changes', href: `/changes?since=${since}` },
    ],
    basePath,
  );
  return refused(
    'gone',
    'The list lacks changes after this place: they are older than the history, or the history began again. Read the collections, and then go on from the link changes',
    { members: { links }, headers: { Link: formatLinks(links) } },
  );
}
