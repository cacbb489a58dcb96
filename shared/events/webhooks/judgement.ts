import type { JsonObject } from '../../json/value.ts';
import { lacksTenant, ownerOf } from '../../resource/access/owner.ts';
import { AUTHORS, type Sight, sightOf } from '../../resource/access/sight.ts';
import type { Item } from '../../resource/item.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import { type CloudEvent, factsSeen, withData } from '../cloud-event.ts';
import { selects } from './matching.ts';
import type { Grant } from './subscriber.ts';

/** A message of SQS could have more, and other engines have this limit. The rest of a message is short. Unit: bytes. */
const MAXIMUM_EVENT = 240 * 1024;

/** A subscription at an attempt. `isDenied`: operators deny its owner access. */
export interface Subscribed {
  /** The present values of its item. */
  readonly values: JsonObject;
  readonly grant: Grant;
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

/** The end of a grant, in ms since the epoch; undefined: it has none, as in an open service. */
const expiryOf = ({ expires }: JsonObject): number | undefined =>
  typeof expires === 'number' ? expires : undefined;

/** The end of a grant, if it is near. `now`: ms since the epoch. */
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
 * Judges an event before each attempt, by what the subscription selects now and what its grant may see now. Callers of an
 * open service see all items. An event that is too long for a receiver names the address of its data.
 *
 * Source: Specification 18.2, 18.5, 18.7.
 */
export function sightingOf(subscribed: Subscribed, { resource, envelope, item }: Announced): Sighting {
  const limits = limitsOf(subscribed, resource, envelope.type);
  if (limits.kind === 'unseen') return limits;
  const { caller } = subscribed.grant;
  const isOwn = resource.tracked
    ? item.createdBy === caller.subject
    : ownerOf(resource, caller) === (resource.owner && item.owner);
  if (!isOwn) return unseen('The item belongs to another owner');
  const whole = withData(envelope, resource, item, limits.sight);
  const isShort = Buffer.byteLength(JSON.stringify(whole)) <= MAXIMUM_EVENT;
  const facts = factsSeen(envelope, limits.sight);
  return { kind: 'seen', event: isShort ? whole : { ...facts, dataref: facts.subject } };
}

/**
 * Judges an event whose data is stored, for a subscription whose grant saw it at a time (ms since the epoch). The event
 * does not say who owns the item, so a later grant sees no item with an owner.
 */
export function laterSightingOf(
  subscribed: Subscribed,
  {
    resource,
    event,
    seenAt,
  }: { readonly resource: Resource; readonly event: CloudEvent; readonly seenAt: number },
): Sighting {
  const limits = limitsOf(subscribed, resource, event.type);
  if (limits.kind === 'unseen') return limits;
  const isOwned = resource.tracked || resource.owner !== undefined;
  if (isOwned && subscribed.grant.since > seenAt)
    return unseen('The subscription has changed, and the item can belong to another owner');
  const { sight } = limits;
  const facts = factsSeen(event, sight);
  const { fields } = descriptionOf(resource);
  const isHidden = (name: string) =>
    Object.hasOwn(AUTHORS, name)
      ? !sight.authors
      : Object.hasOwn(fields, name) && !Object.hasOwn(sight.description.fields, name);
  const shown =
    event.data && Object.fromEntries(Object.entries(event.data).filter(([name]) => !isHidden(name)));
  return { kind: 'seen', event: { ...facts, ...(shown && { data: shown }) } };
}

type Limits = { readonly kind: 'limits'; readonly sight: Sight } | Extract<Sighting, { kind: 'unseen' }>;

function limitsOf({ values, grant: { caller } }: Subscribed, resource: Resource, type: string): Limits {
  if (!selects({ types: [], ...values }, type, resource.name))
    return { kind: 'unseen', reason: 'The subscription does not select the event any more' };
  const { subject = '', scopes } = caller;
  const isReadable = !scopes || resource.tracked || scopes.includes(`${resource.name}:read`);
  if (!isReadable || lacksTenant(resource, caller))
    return { kind: 'unseen', reason: `The subscription may not read ${resource.name} any more` };
  const principal = scopes ? { principal: { subject, scopes } } : {};
  return { kind: 'limits', sight: sightOf(descriptionOf(resource), principal) };
}
