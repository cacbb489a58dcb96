import { type JsonObject, type JsonValue, sameMember } from '../../shared/json/value.ts';
import { type Caller, ownerOf } from '../../shared/resource/access/owner.ts';
import { type Outcome, refused } from '../../shared/resource/actions/outcome.ts';
import type { Item } from '../../shared/resource/item.ts';
import type { Resource } from '../../shared/resource/resource.ts';

const OPERATORS = 'operators';
const REASON = 'The operators of the service have suspended the subscription';

/** True if operators have suspended a subscription with these values: only operators end this. */
export const isSuspendedByOperators = ({ suspendedBy }: JsonObject): boolean => suspendedBy === OPERATORS;

/** Values with this reason of a suspension; undefined: with none. */
export const withReason = (
  { reason: _, ...others }: JsonObject,
  reason: JsonValue | undefined,
): JsonObject => (reason === undefined ? others : { ...others, reason });

/**
 * The values after operators suspend a subscription. They keep the state before, for the resumption. A reason that it has
 * stays, unless they give another.
 */
export const suspensionOf = (before: JsonObject, reason = before.reason ?? REASON): JsonObject => ({
  ...withReason(before, reason),
  active: false,
  ...(!isSuspendedByOperators(before) && {
    suspendedBy: OPERATORS,
    wasActive: before.active !== false,
    formerReason: before.reason ?? null,
  }),
});

/** The values after operators end their suspension: a pause, or a suspension by the service, is as it was. */
export const resumptionOf = (before: JsonObject): JsonObject => ({
  ...withReason(before, before.formerReason ?? undefined),
  active: before.wasActive !== false,
  suspendedBy: null,
  wasActive: null,
  formerReason: null,
});

/** Refuses what an owner may not do while operators suspend a subscription with these values. */
export const refusedByOperators = (values: JsonObject): Outcome | undefined =>
  isSuspendedByOperators(values)
    ? refused('conflict', `${values.reason}. Ask the operators to resume it`)
    : undefined;

/** Refuses a reason that an owner sets: operators give it when they suspend. Source: Specification 18.15. */
export const refusedReason = ({ reason }: JsonObject, before: JsonObject = {}): Outcome | undefined =>
  (reason ?? undefined) === undefined || sameMember(before.reason, reason)
    ? undefined
    : refused('forbidden', 'Only operators set reason, when they suspend the subscription of another owner');

/** The caller of a request as the owner of a subscription; undefined: it is a manager, and changes it as operators do. */
export function asOwner(resource: Resource, caller: Caller, { owner }: Item): Caller | undefined {
  const { isManager, ...own } = caller;
  const isOwner = own.scopes?.includes(`${resource.name}:write`) && owner === ownerOf(resource, own);
  return !isManager || isOwner ? own : undefined;
}

/**
 * The values of a subscription after a change by a manager, or the refusal. `wanted`: the values that the request wants.
 *
 * Source: Specification 18.15.
 */
export function managedValues(
  before: JsonObject,
  wanted: JsonObject,
): { readonly kind: 'values'; readonly values: JsonObject } | Outcome {
  const others = ['url', 'types', 'resource'].filter(
    (name) => !sameMember(before[name], wanted[name] ?? undefined),
  );
  if (others.length > 0) {
    const detail = `Managers change only active and reason of a subscription. Its owner changes ${others.join(', ')}`;
    return refused('forbidden', detail);
  }
  const [wasActive, isActive] = [before, wanted].map(({ active }) => active !== false);
  if (!isActive) return { kind: 'values', values: suspensionOf(before, wanted.reason ?? undefined) };
  if (wasActive && !sameMember(before.reason, wanted.reason ?? undefined))
    return refused('conflict', 'An active subscription has no reason. Set active to false with it');
  if (!wasActive && !isSuspendedByOperators(before))
    return refused('conflict', 'Operators have not suspended the subscription. Its owner ends this');
  return { kind: 'values', values: wasActive ? before : resumptionOf(before) };
}
