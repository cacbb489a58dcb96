import { createHash } from 'node:crypto';
import {
  evaluate,
  type Failure,
  failureOf,
  type Preconditions,
  type Validators,
} from '../../../http/conditional/conditions.ts';
import { formatEntityTag } from '../../../http/conditional/entity-tag.ts';
import { PROBLEMS } from '../../../http/problem.ts';
import type { Expected } from '../../../resource/actions/action.ts';
import { checkAction, mayChangeNothing } from '../../action-input.ts';
import { codedValidators } from '../../codings/encode.ts';
import { type Ending, end, endWith, refuse } from '../../ending.ts';
import type { Expecting, LookedUp, Replayed, Understood } from '../../exchange.ts';
import { cacheHeaders, contentLocation, validatorHeaders } from '../../response/cache-and-validators.ts';
import { renderWithinLimit } from '../../response/rendered.ts';
import { listPreconditions } from '../../response/validators/list-tag.ts';
import { versionPreconditions } from '../../response/validators/validators.ts';
import { type Finding, step } from '../../step.ts';

type Exchange = Understood & Replayed & LookedUp;

/**
 * Evaluates the preconditions, and adds the state that the write expects: a version, an entity tag or absence. The
 * write sends it to storage as its condition, so that one of several concurrent writes wins.
 *
 * Source: RFC 9110 §13.2; Specification 3.5.
 */
export const preconditions = step<Exchange, Expecting>()('preconditions', [304, 409, 412], (exchange) => {
  const { preconditions: given } = exchange;
  return given && isEvaluated(exchange) ? evaluated(exchange, given) : { expected: expectedOf(exchange) };
});

/** A request whose write needs no state. */
export const ANY_STATE: Expecting = { expected: undefined };

/** What a client does next. */
const ADVICE: Readonly<Record<Failure, string>> = {
  changed: 'The resource is in another state. Read it again, and send its new ETag in If-Match',
  weak: 'The entity tag in If-Match is weak, so it matches no state. Send it without W/: a proxy that compresses adds this',
  exists:
    'The resource exists in a state that If-None-Match excludes. To change it, send its ETag in If-Match',
};

function isEvaluated(exchange: Exchange): boolean {
  const { isSafe, endpoint, state, lookup, validators, asOperation } = exchange;
  // The validators of a list are checked on acceptance only, because the operation changes the list.
  if (asOperation && state?.kind === 'list') return false;
  // A run that goes on has changed what its first run compared.
  if (asOperation?.work.checkpoint.cursor !== undefined) return false;
  if (isAlreadyApplied(exchange)) return false;
  // A GET that gets 303 ignores preconditions. Source: RFC 9110 §13.2.1.
  if (isSafe && lookup?.kind === 'found' && lookup.seeOther !== undefined) return false;
  // Without a state, the target has no representation to compare with.
  return lookup !== undefined && Boolean(validators || endpoint.creates || endpoint.clientManaged);
}

async function evaluated(
  exchange: Exchange,
  sent: Preconditions,
): Promise<Finding<Expecting, 304 | 409 | 412>> {
  const { request, state, lookup } = exchange;
  const { given, current, shown } = await comparedBy(exchange, sent);
  switch (evaluate(request.method, given, current, request.receivedAt)) {
    case 'proceed':
      return { expected: expectedOf(exchange) };
    case 'not-modified':
      return endWith(304, {
        ...validatorHeaders(request, shown),
        ...cacheHeaders(exchange, state, exchange.expansions),
        ...contentLocation(lookup?.kind === 'found' ? lookup.location : undefined, request.basePath),
      });
    case 'precondition-failed': {
      const conflict = await conflictIn(exchange);
      if (conflict) return conflict;
      const tag = shown?.etag && formatEntityTag(shown.etag);
      return refuse(
        'precondition-failed',
        state
          ? ADVICE[failureOf(given, current)]
          : 'The resource does not exist. Create it by a request without If-Match',
        tag ? { headers: { ETag: tag } } : {},
      );
    }
  }
}

/**
 * The refusal that a request without content would get without its preconditions, such as a transition that the status
 * does not allow. The service then ignores the preconditions. Source: RFC 9110 §13.2.1; Specification 3.3.
 */
async function conflictIn(exchange: Exchange): Promise<Ending<409> | undefined> {
  const { endpoint, isSafe } = exchange;
  if (isSafe || endpoint.content !== 'none') return undefined;
  const outcome = await checkAction(endpoint, exchange);
  if (outcome?.kind !== 'refused' || PROBLEMS[outcome.problem.name].status !== 409) return undefined;
  return { ...end(outcome.problem), status: 409 };
}

/** The preconditions, the validators to compare them with, and the validators that the response shows. */
interface Compared {
  readonly given: Preconditions;
  readonly current: Validators | undefined;
  readonly shown: Validators | undefined;
}

/** A write compares the version in every format and coding. A GET compares the representation that it selects. */
async function comparedBy(exchange: Exchange, given: Preconditions): Promise<Compared> {
  const { isSafe, state, validators } = exchange;
  if (isSafe) {
    const selected = await selectedValidators(exchange);
    return { given, current: selected, shown: selected };
  }
  if (state?.kind === 'item') {
    return { ...versionPreconditions(given, state.item.version, state.item.updatedAt), shown: validators };
  }
  if (state?.kind !== 'list') return { given, current: validators, shown: validators };
  const ofList = await listPreconditions(exchange, state, given);
  return { ...ofList, shown: ofList.current };
}

/** The validators of the representation that a GET selects, in the content coding that the client gets. */
async function selectedValidators(exchange: Exchange): Promise<Validators | undefined> {
  const { request, state, validators, rendered } = exchange;
  if (!validators?.etag || !state) return validators;
  if (request.headers['accept-encoding'] === undefined) return validators;
  if (state.kind === 'bytes') {
    const { isText, size } = state.bytes;
    return isText ? codedValidators(request, validators, size) : validators;
  }
  const { text } = rendered ?? (await renderWithinLimit(exchange, state));
  return codedValidators(request, validators, Buffer.byteLength(text));
}

function expectedOf(exchange: Exchange): Expected {
  const { isSafe, state, preconditions: given, endpoint } = exchange;
  if (isSafe || mayChangeNothing(exchange)) return undefined;
  if (state?.kind === 'item') return { kind: 'version', version: state.item.version };
  if (state?.kind === 'bytes') return { kind: 'etag', etag: state.bytes.storedTag ?? state.bytes.etag };
  const mayBeAbsent = endpoint.creates || endpoint.clientManaged;
  return mayBeAbsent && given && !state ? { kind: 'absent' } : undefined;
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
