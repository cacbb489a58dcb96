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
 * Evaluates the preconditions, and leaves for the write what was seen: the version, the entity tag, or that there was
 * nothing. The write takes it along into storage, so that of several racing writes one wins.
 *
 * Source: RFC 9110 §13.2.
 */
export const preconditions = step('preconditions', [304, 412], async (exchange) => {
  const { request, operation, state, validators, preconditions: given } = exchange;
  exchange.expected = expectedOf(exchange);
  if (!hasPreconditions(given)) return undefined;
  // A list is compared when the work on it is accepted: once begun, that itself changes it.
  if (exchange.work && state?.kind === 'list') return undefined;
  if (isAlreadyApplied(exchange)) return undefined;
  // What is read elsewhere is answered 303, whatever the client has. Source: RFC 9110 §13.2.1.
  if (isSafe(request.method) && exchange.lookup?.kind === 'found' && exchange.lookup.seeOther !== undefined)
    return undefined;
  // Without a state to compare with, the target has no representation of its own.
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
  if (state?.kind === 'item') return { version: state.item.version };
  if (state?.kind === 'bytes') return { etag: state.bytes.etag };
  return operation.creates && hasPreconditions(given) && !state ? { absent: true } : undefined;
}
