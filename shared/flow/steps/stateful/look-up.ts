import { pageHref } from '../../../representations/list.ts';
import type { Action } from '../../../resource/actions/action.ts';
import type { Outcome, State } from '../../../resource/actions/outcome.ts';
import type { ContentKind } from '../../../resource/facts.ts';
import { UnreadableItem } from '../../../resource/store-refusal.ts';
import { callAction, fileCall, itemCall, mayChangeNothing, prefersAsync } from '../../action-input.ts';
import { type Ending, refuse, refuseMissing } from '../../ending.ts';
import type { LookedUp, Rendered, Replayed, Understood } from '../../exchange.ts';
import { pageAddress } from '../../response/page-address.ts';
import { renderWithinLimit } from '../../response/rendered.ts';
import { validatorsOf } from '../../response/validators/validators.ts';
import { expandState } from '../../selection/expansion.ts';
import { notAlone } from '../../selection/parameters.ts';
import { passTimeGate } from '../../selection/time-gate.ts';
import { type Finding, step } from '../../step.ts';

type Exchange = Understood & Replayed;
/** With the related items, if the client wants them. */
type Expanding = Exchange & Partial<Pick<LookedUp, 'expansions'>>;
type Status = 302 | 400 | 403 | 404 | 413 | 415;
type Found = Extract<Outcome, { kind: 'found' }>;

/** Content whose effect depends on the current state. */
const DEPENDENT: ReadonlySet<ContentKind> = new Set(['patch', 'change']);

/** True if the effect depends on the current state: also that of a PUT by a caller who cannot see or set all fields. */
const isDependent = ({ endpoint, content, fieldLimits }: Exchange): boolean =>
  DEPENDENT.has(endpoint.content) ||
  (content.kind === 'item' && !endpoint.creates && (fieldLimits?.kept.length ?? 0) > 0);

/**
 * Reads the target's current state if the response depends on it: for GET, for preconditions, for a patch, for PUT of an
 * item. Any other write goes to storage at once, with its condition.
 */
export const lookUp = step<Exchange, LookedUp>()(
  'lookUp',
  [302, 400, 403, 404, 413, 415],
  async (exchange) => {
    const { pendingRefusal } = exchange;
    if (pendingRefusal)
      return (await missingParent(exchange, pendingRefusal.parent)) ?? pendingRefusal.ending;
    const early = (await earlierMoment(exchange)) ?? (await withoutState(exchange));
    if (early) return early;
    const read = readerOf(exchange);
    const isOptional = !exchange.isSafe && mayChangeNothing(exchange);
    const lookup = await (isOptional ? read?.().catch(unlessUnreadable) : read?.());
    switch (lookup?.kind) {
      case 'found':
        return expandedState(exchange, lookup);
      case 'missing':
        return (await missingTarget(exchange, lookup)) ?? unread(exchange, lookup);
      case 'offsetTooLarge':
        return refuseOffset(exchange, lookup);
      default:
        return unread(exchange, lookup);
    }
  },
);

/** Leads a reader of an earlier moment to a version; undefined for any other request. */
async function earlierMoment(exchange: Exchange): Promise<Ending<302 | 400 | 404> | undefined> {
  const { isSafe, request, endpoint } = exchange;
  const at = isSafe ? request.headers['accept-datetime'] : undefined;
  return at === undefined || !endpoint.timeGate ? undefined : passTimeGate(exchange, endpoint.timeGate, at);
}

/**
 * The end of look-up for a write whose effect does not depend on the current state; undefined: the state is to be read.
 * A missing target gets 404 at once. After a 202, the client would learn of it late. After a 406, or a limit of no items,
 * it would never learn of it.
 */
async function withoutState(exchange: Exchange): Promise<Finding<LookedUp, 404> | undefined> {
  const { isSafe, endpoint, preconditions, notAcceptable, asOperation, maximum } = exchange;
  // A run that goes on has changed what its first run compared.
  if (asOperation?.work.checkpoint.cursor !== undefined) return unread(exchange);
  if (isSafe || preconditions || isDependent(exchange) || mayChangeNothing(exchange)) return undefined;
  if (!prefersAsync(exchange) && !notAcceptable && maximum !== 0) return unread(exchange);
  const above = endpoint.parent ?? endpoint.whole;
  if (above) return (await missingParent(exchange, above)) ?? unread(exchange);
  return endpoint.creates ? unread(exchange) : undefined;
}

/** The addition of look-up for a state, with the related items that the client wants. */
async function expandedState(exchange: Exchange, found: Found): Promise<Finding<LookedUp, Status>> {
  const mixed = mixedSelection(exchange, found.state);
  if (mixed) return mixed;
  const isExpanded = exchange.representation.namesRelated || exchange.expand.length > 0;
  const { state, expansions = undefined } = isExpanded
    ? await expandState(exchange, found.state)
    : { state: found.state };
  const view = expansions ? { ...exchange, expansions } : exchange;
  const rendered = decidesByText(view, state) ? await renderWithinLimit(view, state) : undefined;
  return foundState(view, { ...found, state }, rendered);
}

/** Refuses an offset that the list does not reach, with a link to the page at which reading stopped. */
function refuseOffset(
  exchange: Exchange,
  { position, offset }: Extract<Outcome, { kind: 'offsetTooLarge' }>,
): Ending<400> {
  const from = { ...position, backwards: false };
  const href = pageHref(pageAddress(exchange), exchange.page, offset, from);
  return refuse('validation-error', 'The offset is too large: follow the next links instead', {
    errors: [
      { parameter: 'offset', detail: 'must be at most 10000, and less if items are large or filtered' },
    ],
    members: { links: [{ rel: 'next', href, method: 'GET' }] },
  });
}

function unlessUnreadable(error: unknown): undefined {
  if (!(error instanceof UnreadableItem)) throw error;
}

/** The refusal if `fields` names a binary property of the item and other properties. Source: Specification 4.20. */
function mixedSelection({ fields, endpoint }: Exchange, state: State): Ending<400> | undefined {
  if (!fields || fields.size < 2 || endpoint.shape !== 'item' || state.kind !== 'item') return undefined;
  const { binaries } = state.item;
  const name = [...fields].find((one) => binaries && Object.hasOwn(binaries, one));
  return name === undefined ? undefined : notAlone(name);
}

/** Look-up found no state, or was not necessary. */
const unread = ({ applied }: Exchange, lookup?: Outcome): LookedUp => ({
  lookup,
  state: undefined,
  expansions: undefined,
  validators: undefined,
  rendered: undefined,
  applied,
});

/** The addition of look-up for a state. `rendered`: its text, if it decides the entity tag or the end of the page. */
function foundState(exchange: Expanding, found: Found, rendered?: Rendered): Finding<LookedUp, Status> {
  const state = rendered?.state ?? harmless(exchange, found.state);
  const lookup = { ...found, state };
  const validators = validatorsOf(exchange, state, rendered);
  const applied = appliedBy(exchange, found);
  return { lookup, state, expansions: exchange.expansions, validators, rendered, applied };
}

/** The destinations of a request for a script. Source: Fetch standard §2.2.5; Fetch Metadata §2.1. */
const FOR_SCRIPTS = new Set([
  ...['script', 'worker', 'sharedworker', 'serviceworker', 'audioworklet', 'paintworklet', 'json'],
]);

/** The state, or a download in place of a script that a browser would run or show. Source: Specification 5.21. */
function harmless({ isSafe, request: { headers } }: Exchange, state: Found['state']): Found['state'] {
  if (!isSafe || state.kind !== 'bytes' || !state.bytes.isRunnable) return state;
  if (headers['sec-fetch-mode'] !== 'navigate' && !FOR_SCRIPTS.has(headers['sec-fetch-dest'] ?? ''))
    return state;
  const { bytes } = state;
  // Another entity tag, so that no cache takes the two for one representation.
  const etag = { ...bytes.etag, opaque: `${bytes.etag.opaque}-download` };
  const own = { ...bytes.headers, 'Content-Disposition': 'attachment' };
  return { kind: 'bytes', bytes: { ...bytes, etag, headers: own, mediaType: 'application/octet-stream' } };
}

/** The applied preferences, with those that the read has applied. */
function appliedBy(exchange: Exchange, { state, waited }: Found): readonly string[] {
  const { isSafe, preferences, applied } = exchange;
  if (state.kind === 'list' && state.page.total !== undefined && preferences.has('count'))
    return [...applied, 'count=exact'];
  return isSafe && waited !== undefined ? [...applied, `wait=${waited}`] : applied;
}

/** The refusal if the target is missing; undefined if the request may create it, or if storage decides. */
async function missingTarget(
  exchange: Exchange,
  { detail, links }: Extract<Outcome, { kind: 'missing' }>,
): Promise<Ending<404> | undefined> {
  const { endpoint, request, preconditions, maximum } = exchange;
  // The parent, or the item that has the binary property, may be missing.
  if (endpoint.whole) return missingParent(exchange, endpoint.whole);
  if (endpoint.creates && !endpoint.parent) return undefined;
  // Storage decides about a missing item. Before acceptance, the check of the action does, or the removal is refused.
  const isDecided = preconditions || (maximum !== 0 && (!prefersAsync(exchange) || endpoint.check));
  if (endpoint.clientManaged && isDecided) return undefined;
  return refuseMissing(request, detail, links);
}

async function missingParent(exchange: Exchange, reads: Action<'item'>): Promise<Ending<404> | undefined> {
  const parent = await reads(itemCall(exchange));
  return parent.kind === 'missing' ? refuseMissing(exchange.request, parent.detail) : undefined;
}

type Textual = Extract<State, { kind: 'list' | 'document' }>;

/** True if the text of a state decides its entity tag or the end of its page. */
const decidesByText = ({ representation }: Exchange, state: State): state is Textual =>
  state.kind === 'list' || (state.kind === 'document' && representation.suffix !== undefined);

/** The name of a manifest's only file: the preconditions of the request apply to this file. */
function uploadAlone({ content }: Exchange): string | undefined {
  const [upload, ...others] = content.kind === 'uploads' ? content.uploads : [];
  return others.length === 0 ? upload?.name : undefined;
}

/** Reads the target. That of a write is the GET at the same path, unless the endpoint names another reader. */
function readerOf(exchange: Exchange): (() => Promise<Outcome>) | undefined {
  const { isSafe, endpoint, route } = exchange;
  const name = uploadAlone(exchange);
  const { reads, readsNamed } = endpoint;
  if (name !== undefined) return readsNamed && (async () => readsNamed(fileCall(exchange, name)));
  const reader = reads ?? (isSafe ? endpoint : route.endpoints.GET);
  return reader && (async () => callAction(reader, exchange));
}
