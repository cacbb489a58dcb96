import { evaluate, hasPreconditions } from '../../http/conditions.ts';
import { formatEntityTag } from '../../http/entity-tag.ts';
import { isSafe } from '../../http/method.ts';
import type { Expected } from '../../resource/action.ts';
import { isAlreadyApplied } from '../already-applied.ts';
import { refuse } from '../ending.ts';
import type { Exchange } from '../exchange.ts';
import { cacheHeaders, validatorHeaders } from '../response/headers.ts';
import { versionPreconditions } from '../response/item-tag.ts';
import { listValidators } from '../response/list-tag.ts';
import { step } from '../step.ts';

/**
 * Evaluates the preconditions, and leaves the observed state for the write: the version, the entity tag or the
 * absence. The write sends it to storage as its condition, so that one of several concurrent writes wins.
 *
 * Source: RFC 9110 §13.2; Specification 3.5.
 */
export const preconditions = step('preconditions', [304, 412], async (exchange) => {
  const { request, operation, state, validators, preconditions: given } = exchange;
  exchange.expected = expectedOf(exchange);
  if (!hasPreconditions(given)) return undefined;
  // The validators of a list are checked on acceptance only: the operation itself changes the list.
  if (exchange.work && state?.kind === 'list') return undefined;
  if (isAlreadyApplied(exchange)) return undefined;
  // A GET that gets 303 ignores preconditions. Source: RFC 9110 §13.2.1.
  if (isSafe(request.method) && exchange.lookup?.kind === 'found' && exchange.lookup.seeOther !== undefined)
    return undefined;
  // Without a state, the target has no representation to compare with.
  if (!exchange.lookup || (!validators && !operation.creates && !operation.clientManaged)) return undefined;
  const shown =
    state?.kind === 'list' && !isSafe(request.method) ? await listValidators(exchange, state) : validators;
  const { given: compared, current } =
    state?.kind === 'item' && !isSafe(request.method)
      ? versionPreconditions(given, state.item.version, state.item.updatedAt)
      : { given, current: shown };
  switch (evaluate(request.method, compared, current, request.receivedAt)) {
    case 'proceed':
      return undefined;
    case 'not-modified':
      return {
        status: 304,
        headers: { ...validatorHeaders(exchange), ...cacheHeaders(exchange.resource, exchange.state) },
      };
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
});

function expectedOf({ state, preconditions: given, operation }: Exchange): Expected {
  if (state?.kind === 'item') return { kind: 'version', version: state.item.version };
  if (state?.kind === 'bytes') return { kind: 'etag', etag: state.bytes.etag };
  return operation.creates && hasPreconditions(given) && !state ? { kind: 'absent' } : undefined;
}
