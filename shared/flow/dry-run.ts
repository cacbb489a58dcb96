import type { JsonObject } from '../json/value.ts';
import { valueMembers } from '../representations/item.ts';
import { json } from '../representations/json.ts';
import { ANYONE, lacksTenant, ownerOf } from '../resource/access/owner.ts';
import { hasScope, sightOf } from '../resource/access/sight.ts';
import type { PlannedChange } from '../resource/actions/capabilities.ts';
import type { Outcome } from '../resource/actions/outcome.ts';
import type { Work } from '../resource/actions/work.ts';
import type { Item } from '../resource/item.ts';
import { prefersAsync } from './action-input.ts';
import { type Ending, endWith, refuse } from './ending.ts';
import type { OperationRun, Ready } from './exchange.ts';
import { respond } from './response/respond.ts';

/** What the run of an action has in place of the exchange's own: no answer to record, and the work of an operation. */
export interface TriedRun {
  readonly keyed: undefined;
  readonly asOperation: OperationRun | undefined;
}

/** Milliseconds for the plan of a request that would become an operation. API Gateway allows 29 s for a request. */
const PATIENCE_MS = 20_000;

/** The outcomes that leave no plan: the request gets what it would get without the preference. */
const WITHOUT_PLAN = ['refused', 'missing', 'stale', 'answered', 'offsetTooLarge'] as const;
type WithoutPlan = Extract<Outcome, { kind: (typeof WITHOUT_PLAN)[number] }>;

const hasNoPlan = (outcome: Outcome): outcome is WithoutPlan =>
  WITHOUT_PLAN.some((kind) => kind === outcome.kind);

/**
 * Tries a request out: its action runs, and none of its writes reaches an engine. Returns the response with the plan of
 * its effects, or the outcome of a request that would be refused. `perform` runs the action.
 *
 * Source: Specification 7.18.
 *
 * @throws Unavailable if an engine does not respond
 */
export async function planOf(
  exchange: Ready,
  perform: (run: TriedRun) => Promise<Outcome>,
): Promise<Ending<200 | 400 | 413> | WithoutPlan> {
  const { dryRun } = exchange.resource;
  if (!dryRun)
    return refuse('validation-error', 'Such a request has no plan. Send it without dry-run', {
      errors: [{ header: 'Prefer', detail: 'dry-run has no effect here' }],
    });
  let isLong = prefersAsync(exchange);
  const { result, changes, total } = await dryRun.changesBy(async () => {
    const outcome = await perform({ keyed: undefined, asOperation: undefined });
    if (outcome.kind !== 'mustDefer') return outcome;
    isLong = true;
    const keyed = { id: '', fingerprint: '', expiresAt: 0 };
    return perform({ keyed: undefined, asOperation: { work: workOf(exchange), keyed } });
  });
  if (hasNoPlan(result)) return result;
  if (result.kind === 'interrupted')
    return refuse(
      'payload-too-large',
      `The plan is too long: after 20 s it has ${total} effects. Plan a smaller request`,
    );
  const applied = [...exchange.applied, 'dry-run'].join(', ');
  const status = isLong ? 202 : (await respond({ ...exchange, applied: [], outcome: result })).status;
  const effects = changes.flatMap((one) => shown(exchange, one) ?? []);
  const members = { dryRun: true, status, total, effects };
  const { representation, request } = exchange;
  // Tables and pages have no form for a plan.
  const written = /[/+](?:json|xml)$/.test(representation.mediaType) ? representation : json;
  const body = await written.write({ kind: 'document', name: 'plan', members }, { request });
  const headers = {
    'Content-Type': written.contentType,
    'Cache-Control': 'no-store',
    Vary: 'Accept, Prefer',
    'Preference-Applied': applied,
  };
  return endWith(200, headers, { body });
}

/** Returns an effect for the caller; undefined if the caller may not read the items of the resource, or not this one. */
function shown(
  { request, resource }: Ready,
  { resource: of, description, id, change, before, after }: PlannedChange,
): JsonObject | undefined {
  const { name } = of;
  const caller = request.principal ?? ANYONE;
  if (name !== resource.name && !hasScope(request, `${name}:read`)) return undefined;
  if (of.owner && (lacksTenant(of, caller) || (after ?? before)?.owner !== ownerOf(of, caller)))
    return undefined;
  const sight = sightOf(description, request);
  const membersOf = (item: Item) =>
    valueMembers({ name, description }, item, request.basePath, { sight, version: item.version });
  return {
    resource: name,
    id,
    change,
    ...(before ? { before: membersOf(before) } : {}),
    ...(after ? { after: membersOf(after) } : {}),
  };
}

/** Returns the work of an operation that no record holds. */
const workOf = ({ request: { basePath, requestId, receivedAt } }: Ready): Work => ({
  operationId: 0,
  lease: '',
  acceptedAt: receivedAt,
  startedAt: receivedAt,
  deadline: receivedAt + PATIENCE_MS,
  basePath,
  requestId,
  checkpoint: { done: 0, failed: 0, failures: [] },
  isTrial: true,
});
