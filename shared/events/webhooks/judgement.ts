import type { JsonObject } from '../../json/value.ts';
import { type Caller, lacksTenant, ownerOf } from '../../resource/access/owner.ts';
import { sightOf } from '../../resource/access/sight.ts';
import type { Item } from '../../resource/item.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import { type CloudEvent, factsSeen, withData } from '../cloud-event.ts';
import { selects } from './matching.ts';

/** A message of SQS could have more, and other engines have this limit. The rest of a message is short. Unit: bytes. */
const MAXIMUM_EVENT = 240 * 1024;

/** A subscription at an attempt. `caller`: its rights. `isDenied`: operators deny its owner access. */
export interface Subscribed {
  /** The present values of its item. */
  readonly values: JsonObject;
  readonly caller: Caller;
  readonly isDenied: boolean;
}

/** A change at an attempt. `envelope`: its event without data. */
export interface Announced {
  readonly resource: Resource;
  readonly envelope: CloudEvent;
  readonly item: Item;
}

/**
 * Whether a subscription may get events now. `inactive`: its owner does not want them. `ended`: the service suspends it
 * for this reason.
 */
export type Standing =
  | { readonly kind: 'entitled' }
  | { readonly kind: 'inactive' }
  | { readonly kind: 'ended'; readonly reason: string };

/** An event as the owner of a subscription may see it; `unseen`: this event never goes to it, for this reason. */
export type Sighting =
  | { readonly kind: 'seen'; readonly event: CloudEvent }
  | { readonly kind: 'unseen'; readonly reason: string };

const DENIED = 'The operators of the service have denied its owner access';
const UNCHANGED = 'its owner has neither changed nor tested it for 90 days';

/** The time for which a grant holds after its last renewal, in ms: 90 days. */
export const GRANT_MS = 90 * 86_400_000;
/** The time before the end of a grant in which each delivery says so, in ms: 14 days. */
const NOTICE_MS = 14 * 86_400_000;

/** Returns the end of a grant, in ms since the epoch; undefined: it has none, as in an open service. */
const expiryOf = ({ expires }: JsonObject): number | undefined =>
  typeof expires === 'number' ? expires : undefined;

/** Returns the end of a grant, if it is near. `now`: ms since the epoch. */
export function nearExpiry(values: JsonObject, now: number): number | undefined {
  const expires = expiryOf(values);
  return expires !== undefined && expires - now <= NOTICE_MS ? expires : undefined;
}

/** Judges a subscription before each attempt. `now`: ms since the epoch. Source: Specification 18.5, 18.13. */
export function standingOf({ values, isDenied }: Subscribed, now: number): Standing {
  if (isDenied) return { kind: 'ended', reason: DENIED };
  const expires = expiryOf(values);
  if (expires !== undefined && expires <= now)
    return { kind: 'ended', reason: `Its rights ended at ${new Date(expires).toISOString()}: ${UNCHANGED}` };
  return values.active === true ? { kind: 'entitled' } : { kind: 'inactive' };
}

const unseen = (reason: string): Sighting => ({ kind: 'unseen', reason });

/**
 * Judges an event before each attempt, by what the subscription selects now and what its rights let it see now. Callers of an
 * open service see all items. An event that is too long for a receiver names the address of its data.
 *
 * Source: Specification 18.2, 18.5, 18.7.
 */
export function sightingOf(
  { values, caller }: Subscribed,
  { resource, envelope, item }: Announced,
): Sighting {
  if (!selects({ types: [], ...values }, envelope.type, resource.name))
    return unseen('The subscription does not select the event any more');
  const { subject = '', scopes } = caller;
  const isReadable = !scopes || resource.tracked || scopes.includes(`${resource.name}:read`);
  if (!isReadable || lacksTenant(resource, caller))
    return unseen(`The subscription may not read ${resource.name} any more`);
  const isOwn = resource.tracked
    ? item.createdBy === caller.subject
    : ownerOf(resource, caller) === (resource.owner && item.owner);
  if (!isOwn) return unseen('The item belongs to another owner');
  const sight = sightOf(descriptionOf(resource), scopes ? { principal: { subject, scopes } } : {});
  const whole = withData(envelope, resource, item, sight);
  const isShort = Buffer.byteLength(JSON.stringify(whole)) <= MAXIMUM_EVENT;
  const facts = factsSeen(envelope, sight);
  return { kind: 'seen', event: isShort ? whole : { ...facts, dataref: facts.subject } };
}

/** A later end is stored only if it is later by so much, in ms: repeated tests make no versions. */
const DAY_MS = 86_400_000;

/** Returns the end of a grant that begins or goes on now (ms since the epoch), as a member; none in an open service. */
export const newExpiry = ({ scopes }: Caller, now: number): JsonObject =>
  scopes ? { expires: now + GRANT_MS } : {};

/** The later end of a grant after a use that changes nothing else, as a member; none if the present one may stay. */
export const renewedExpiry = ({ expires }: JsonObject, now: number): JsonObject =>
  typeof expires === 'number' && expires < now + GRANT_MS - DAY_MS ? { expires: now + GRANT_MS } : {};
