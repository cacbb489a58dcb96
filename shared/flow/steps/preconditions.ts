import { createHash } from 'node:crypto';
import { evaluate, hasPreconditions } from '../../http/conditional/conditions.ts';
import { formatEntityTag } from '../../http/conditional/entity-tag.ts';
import { isSafe } from '../../http/method.ts';
import type { Expected } from '../../resource/actions/action.ts';
import { endWith, refuse } from '../ending.ts';
import type { Expecting, LookedUp, Replayed, Understood } from '../exchange.ts';
import { cacheHeaders, validatorHeaders } from '../response/headers.ts';
import { versionPreconditions } from '../response/item-tag.ts';
import { listValidators } from '../response/list-tag.ts';
import { type Finding, step } from '../step.ts';

type Exchange = Understood & Replayed & LookedUp;

/**
 * Evaluates the preconditions, and adds the state that the write expects: a version, an entity tag or absence. The
 * write sends it to storage as its condition, so that one of several concurrent writes wins.
 *
 * Source: RFC 9110 §13.2; Specification 3.5.
 */
export const preconditions = step<Exchange, Expecting>()('preconditions', [304, 412], (exchange) =>
  isEvaluated(exchange) ? evaluated(exchange) : { expected: expectedOf(exchange) },
);

function isEvaluated(exchange: Exchange): boolean {
  const { request, endpoint, state, lookup, validators, asOperation } = exchange;
  if (!hasPreconditions(exchange.preconditions)) return false;
  // The validators of a list are checked on acceptance only, because the operation changes the list.
  if (asOperation && state?.kind === 'list') return false;
  if (isAlreadyApplied(exchange)) return false;
  // A GET that gets 303 ignores preconditions. Source: RFC 9110 §13.2.1.
  if (isSafe(request.method) && lookup?.kind === 'found' && lookup.seeOther !== undefined) return false;
  // Without a state, the target has no representation to compare with.
  return lookup !== undefined && Boolean(validators || endpoint.creates || endpoint.clientManaged);
}

async function evaluated(exchange: Exchange): Promise<Finding<Expecting, 304 | 412>> {
  const { request, resource, state, validators, preconditions: given } = exchange;
  const writes = !isSafe(request.method);
  const shown = state?.kind === 'list' && writes ? await listValidators(exchange, state) : validators;
  const { given: compared, current } =
    state?.kind === 'item' && writes
      ? versionPreconditions(given, state.item.version, state.item.updatedAt)
      : { given, current: shown };
  switch (evaluate(request.method, compared, current, request.receivedAt)) {
    case 'proceed':
      return { expected: expectedOf(exchange) };
    case 'not-modified':
      return endWith(304, { ...validatorHeaders(validators), ...cacheHeaders(resource, state) });
    case 'precondition-failed': {
      const tag = shown?.etag && formatEntityTag(shown.etag);
      return refuse(
        'precondition-failed',
        state ? 'The resource is in another state' : 'The resource does not exist',
        {
          ...(tag ? { headers: { ETag: tag } } : {}),
        },
      );
    }
  }
}

function expectedOf({ state, preconditions: given, endpoint }: Exchange): Expected {
  if (state?.kind === 'item') return { kind: 'version', version: state.item.version };
  if (state?.kind === 'bytes') return { kind: 'etag', etag: state.bytes.etag };
  return endpoint.creates && hasPreconditions(given) && !state ? { kind: 'absent' } : undefined;
}

/**
 * True when a previous run applied this request but crashed before it recorded the result. That run checked the
 * preconditions. Its effect makes them fail now, so this run must not check them again.
 */
function isAlreadyApplied({ resumed, request, endpoint, state, content }: Exchange): boolean {
  if (!resumed) return false;
  if (request.method === 'DELETE') return endpoint.clientManaged === true && !state;
  if (state?.kind !== 'bytes' || content.kind !== 'bytes') return false;
  const { sha256, mediaType } = state.bytes;
  const { sent } = content;
  return mediaType === sent.mediaType && sha256 === createHash('sha256').update(sent.bytes).digest('base64');
}
