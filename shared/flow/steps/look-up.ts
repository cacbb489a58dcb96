import { hasPreconditions } from '../../http/conditions.ts';
import { isSafe } from '../../http/method.ts';
import { pageHref } from '../../representations/list.ts';
import type { Action } from '../../resource/action.ts';
import type { State } from '../../resource/outcome.ts';
import type { ContentKind, Endpoint } from '../../resource/route.ts';
import { actionInput, waitMs } from '../action-input.ts';
import { prefersAsync } from '../deferral.ts';
import { type Ending, refuse } from '../ending.ts';
import type { Exchange } from '../exchange.ts';
import { defaultPage } from '../request/page-query.ts';
import { unknownFields } from '../request/unknown-fields.ts';
import { pageAddress } from '../response/page-address.ts';
import { validatorsOf } from '../response/validators.ts';
import { written } from '../response/written.ts';
import { step } from '../step.ts';

const EMPTY_FORM: State = { kind: 'emptyForm' };

/** Content whose effect depends on the current state. */
const DEPENDENT: ReadonlySet<ContentKind> = new Set(['patch', 'change']);

/**
 * Reads the target's current state if the response depends on it: for GET, for preconditions, for a patch. Any
 * other write goes to storage at once, with its condition.
 */
export const lookUp = step('lookUp', [400, 404, 413, 415], async (exchange) => {
  const { request, resource, operation } = exchange;
  if (exchange.pendingRefusal)
    return (await missingParent(exchange, operation.parent)) ?? exchange.pendingRefusal;
  const reading = isSafe(request.method);
  if (!reading && !hasPreconditions(exchange.preconditions) && !DEPENDENT.has(operation.content)) {
    // A missing target gets 404 at once. After a 202, the client would learn of it late. After a 406, it would
    // never learn of it.
    if (!prefersAsync(exchange) && !exchange.notAcceptable) return undefined;
    const above = operation.parent ?? operation.whole;
    if (above) return missingParent(exchange, above);
    if (operation.creates) return undefined;
  }
  const upload = uploadAlone(exchange);
  const target = reading ? operation : readerOf(exchange, upload !== undefined);
  if (!target) return undefined;
  if (target.shape === 'list') exchange.page ??= defaultPage(resource);
  const outcome = await target.run({ ...actionInput(exchange), ...upload, expected: undefined });
  exchange.lookup = outcome;
  switch (outcome.kind) {
    case 'found':
      // A form only needs to know that the bytes exist.
      exchange.state =
        operation.shape === 'form' && outcome.state.kind === 'bytes' ? EMPTY_FORM : outcome.state;
      if (
        resource.tracked &&
        outcome.state.kind === 'item' &&
        reading &&
        !outcome.unwaited &&
        waitMs(exchange) !== undefined
      )
        exchange.applied.push(`wait=${exchange.preferences.get('wait')}`);
      if (outcome.state.kind === 'list' && outcome.state.page.total?.exact)
        exchange.applied.push('count=exact');
      if (decidesByText(exchange, exchange.state)) {
        exchange.rendered = await written(exchange, exchange.state);
        exchange.state = exchange.rendered.state;
        exchange.lookup = { ...outcome, state: exchange.state };
      }
      exchange.validators = validatorsOf(exchange, exchange.state);
      return unknownFields(exchange, exchange.state);
    case 'missing':
      exchange.state = undefined;
      exchange.validators = undefined;
      // The parent, or the item that has the binary property, may be missing.
      if (operation.whole) return missingParent(exchange, operation.whole);
      if (operation.creates && !operation.parent) return undefined;
      // Storage decides about the removal of a missing item. A deferred removal is checked here, before acceptance.
      if (operation.clientManaged && (hasPreconditions(exchange.preconditions) || !prefersAsync(exchange)))
        return undefined;
      return refuse('not-found', outcome.detail ?? `There is no ${request.path}`);
    case 'offsetTooLarge': {
      const { page } = exchange;
      if (!page) return undefined;
      const address = pageAddress(exchange);
      const href = pageHref(address, page, outcome.offset, { ...outcome.position, backwards: false });
      return refuse('validation-error', 'The offset is too large: follow the next links instead', {
        errors: [{ parameter: 'offset', detail: 'must be at most 10000, and less if items are large' }],
        members: { links: [{ rel: 'next', href, method: 'GET' }] },
      });
    }
    default:
      return undefined;
  }
});

async function missingParent(
  exchange: Exchange,
  reads: Action | undefined,
): Promise<Ending<404> | undefined> {
  const parent = await reads?.(actionInput(exchange));
  return parent?.kind === 'missing'
    ? refuse('not-found', parent.detail ?? 'There is no such parent')
    : undefined;
}

type Textual = Extract<State, { kind: 'list' | 'document' }>;

/** Whether the text of a state decides its entity tag or the end of its page. */
const decidesByText = ({ representation }: Exchange, state: State): state is Textual =>
  state.kind === 'list' || (state.kind === 'document' && representation.suffix !== undefined);

/** The name of a manifest's only file: the preconditions of the request apply to this file. */
function uploadAlone({ uploads = [] }: Exchange): { readonly name: string } | undefined {
  const [upload, ...others] = uploads;
  return upload && others.length === 0 ? { name: upload.name } : undefined;
}

/** What reads the target of a write: GET at the same path, unless the endpoint names another reader. */
function readerOf(
  { operation: { reads, readsNamed }, route }: Exchange,
  isNamed: boolean,
): Pick<Endpoint, 'run' | 'shape'> | undefined {
  if (isNamed) return readsNamed && { run: readsNamed };
  return reads ? { run: reads } : route.endpoints.GET;
}
