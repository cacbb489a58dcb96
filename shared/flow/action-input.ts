import { MAXIMUM_BYTES } from '../http/maximum-sizes.ts';
import { emptyObject } from '../json/value.ts';
import { ANYONE } from '../resource/access/owner.ts';
import { sightOf } from '../resource/access/sight.ts';
import type {
  Call,
  Calls,
  CreateCall,
  DocumentCall,
  ElementsCall,
  FileCall,
  ItemCall,
  Shape,
  Shaped,
} from '../resource/actions/action.ts';
import type { Outcome } from '../resource/actions/outcome.ts';
import { descriptionOf } from '../resource/resource.ts';
import type { NamedAction } from '../resource/route.ts';
import type { SentBytes } from '../resource/sent.ts';
import type { Preferred, Ready, Understood } from './exchange.ts';
import { recordedAnswer } from './recorded-answer.ts';
import type { ChangedValues } from './values/new-values.ts';

/** A request from which an input is built. Before look-up, no state is known. */
type Exchange = Understood & Partial<Ready>;

const NO_BYTES: SentBytes = { bytes: new Uint8Array(), mediaType: '' };

/** The part of an input that every action gets. */
export function callOf(exchange: Exchange): Call {
  const { request, keyed, asOperation } = exchange;
  return {
    caller: request.principal ?? ANYONE,
    now: request.receivedAt,
    idempotency: keyed && { ...keyed, answer: (outcome) => recordedAnswer({ ...exchange, outcome }) },
    work: asOperation?.work,
  };
}

const queryOf = ({ endpoint: { parameters = [] }, request }: Exchange): DocumentCall['query'] =>
  Object.fromEntries(parameters.map((name) => [name, request.query.get(name)]));

/** The identifier in the path. Routes without one have no action that takes it, and no item has this number. */
const idOf = ({ parameters: { id = Number.NaN } }: Exchange): number => id;

/** The input for the item that the path names. */
export function itemCall(exchange: Exchange): ItemCall {
  const { binary, expected, state } = exchange;
  return {
    ...callOf(exchange),
    id: idOf(exchange),
    binary,
    expected,
    current: state?.kind === 'item' ? state.item : undefined,
    waitMs: waitMs(exchange),
  };
}

const numberIn = ({ version = '', n = version }: Exchange['parameters']['others']): number =>
  /^[1-9][0-9]{0,15}$/.test(n) ? Number(n) : Number.NaN;

/** The values and the binary properties in the content. */
const valuesOf = ({ content }: Exchange): Pick<CreateCall, 'values' | 'binaries'> =>
  content.kind === 'item' ? content : { values: emptyObject() };

const elements = (exchange: Exchange): ElementsCall => ({
  ...callOf(exchange),
  maximum: exchange.maximum,
  elements: exchange.content.kind === 'items' ? exchange.content.elements : [],
  lenient: exchange.preferences.get('handling') === 'lenient',
  fieldLimits: exchange.fieldLimits,
});

/** The input for a file. `name`: that in the path, or the only one in a manifest. */
export const fileCall = (exchange: Exchange, name: string): FileCall => ({
  ...callOf(exchange),
  name,
  expected: exchange.expected,
  mostBytes: mostBytes(exchange),
});

const sentOf = ({ content }: Exchange): SentBytes => (content.kind === 'bytes' ? content.sent : NO_BYTES);

const bodyOf = ({ content }: Exchange) => (content.kind === 'body' ? content.values : emptyObject());

function files(exchange: Exchange): Calls['files'] {
  const { request, content, expected } = exchange;
  const { basePath, path, requestId } = request;
  return {
    ...callOf(exchange),
    content:
      content.kind === 'uploads'
        ? { kind: 'uploads', uploads: content.uploads }
        : { kind: 'files', files: content.kind === 'files' ? content.files : [] },
    expected,
    lenient: exchange.preferences.get('handling') === 'lenient',
    origin: { basePath, path, requestId },
  };
}

/** Builds each input. A route without `{id}` has no action with a shape `…Below`. */
const INPUTS: { readonly [Of in Shape]: (exchange: Exchange, changed?: ChangedValues) => Calls[Of] } = {
  document: (exchange) => ({
    ...callOf(exchange),
    parameters: exchange.parameters.others,
    accept: exchange.request.headers.accept,
    isPage: exchange.representation.isPage === true,
    query: queryOf(exchange),
    mostBytes: mostBytes(exchange),
  }),
  visit: (exchange) => ({ ...callOf(exchange), query: queryOf(exchange), visit: exchange.request }),
  list: (exchange) => ({ ...callOf(exchange), page: exchange.page }),
  listBelow: (exchange) => ({ ...INPUTS.list(exchange), id: idOf(exchange) }),
  item: itemCall,
  create: (exchange) => ({ ...callOf(exchange), ...valuesOf(exchange) }),
  createBelow: (exchange) => ({ ...INPUTS.create(exchange), id: idOf(exchange) }),
  replace: (exchange, changed) => ({ ...itemCall(exchange), ...(changed ?? valuesOf(exchange)) }),
  bulk: (exchange) => ({ ...callOf(exchange), maximum: exchange.maximum }),
  bulkBelow: (exchange) => ({ ...INPUTS.bulk(exchange), id: idOf(exchange) }),
  elements,
  elementsBelow: (exchange) => ({ ...elements(exchange), id: idOf(exchange) }),
  file: (exchange) => fileCall(exchange, exchange.parameters.name ?? ''),
  fileVersions: (exchange) => ({
    ...INPUTS.file(exchange),
    query: queryOf(exchange),
    basePath: exchange.request.basePath,
  }),
  fileVersion: (exchange) => ({
    ...INPUTS.file(exchange),
    version: exchange.parameters.others.version ?? '',
  }),
  writeFile: (exchange) => ({ ...INPUTS.file(exchange), sent: sentOf(exchange) }),
  files,
  binary: (exchange) => ({ ...itemCall(exchange), binary: exchange.binary ?? '' }),
  writeBinary: (exchange) => ({ ...INPUTS.binary(exchange), sent: sentOf(exchange) }),
  changes: (exchange) => ({
    ...callOf(exchange),
    query: queryOf(exchange),
    basePath: exchange.request.basePath,
    reader: exchange.request,
    ignored: exchange.ignored,
    waitMs: waitMs(exchange),
  }),
  removed: (exchange) => ({
    ...callOf(exchange),
    query: queryOf(exchange),
    basePath: exchange.request.basePath,
    sight: exchange.sight ?? sightOf(descriptionOf(exchange.resource), undefined),
  }),
  totals: (exchange) => ({ ...INPUTS.removed(exchange), page: exchange.page }),
  totalsBelow: (exchange) => ({ ...INPUTS.totals(exchange), id: idOf(exchange) }),
  versions: (exchange) => ({ ...INPUTS.removed(exchange), id: idOf(exchange) }),
  version: (exchange) => ({
    ...itemCall(exchange),
    fieldLimits: exchange.fieldLimits,
    basePath: exchange.request.basePath,
    version: numberIn(exchange.parameters.others),
  }),
  customOfItem: (exchange) => ({ ...itemCall(exchange), body: bodyOf(exchange) }),
  customOfList: (exchange) => ({ ...callOf(exchange), body: bodyOf(exchange) }),
};

/** Calls an action with the input of its shape. `changed`: values that depend on the present ones. */
export const callAction = <Of extends Shape>(
  { takes, run }: Shaped<Of>,
  exchange: Exchange,
  changed?: ChangedValues,
): Promise<Outcome> | Outcome => run(INPUTS[takes](exchange, changed));

/** What the action would refuse now; undefined if it has no such check. */
export const checkAction = <Of extends Shape>(
  { takes, check }: Shaped<Of>,
  exchange: Exchange,
  changed?: ChangedValues,
): Promise<Outcome> | Outcome | undefined => check?.(INPUTS[takes](exchange, changed));

/** The number of bytes up to which the response carries all bytes of the target; undefined: it may need none of them. */
function mostBytes({ request, endpoint, preconditions }: Understood): number | undefined {
  const isWhole =
    endpoint.shape === 'bytes' &&
    request.method === 'GET' &&
    request.headers.range === undefined &&
    !preconditions;
  return isWhole ? MAXIMUM_BYTES : undefined;
}

/**
 * True if look-up reads the item only to compare it with the content: a PUT that changes nothing writes nothing. Such a
 * PUT has no condition. It replaces any version, also one of a form that the service cannot read.
 *
 * Source: Specification 3.6.
 */
export const mayChangeNothing = ({
  endpoint,
  content,
  fieldLimits,
  preconditions,
}: Pick<Understood, 'endpoint' | 'content' | 'fieldLimits' | 'preconditions'>): boolean =>
  content.kind === 'item' && !endpoint.creates && !preconditions && (fieldLimits?.kept.length ?? 0) === 0;

/** How long the client wants the service to wait for a change of the target, in ms. Source: RFC 7240 §4.3. */
export function waitMs({ preferences }: Preferred): number | undefined {
  const seconds = preferences.get('wait') ?? '';
  return /^[0-9]{1,9}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

/**
 * True if the service may respond 202 because the client prefers that. False for a request that already runs as an
 * operation, and for uploads, which always wait for the client.
 *
 * Source: RFC 7240 §4.1.
 */
export const prefersAsync = (exchange: Understood): boolean =>
  exchange.preferences.has('respond-async') &&
  exchange.asOperation === undefined &&
  exchange.content.kind !== 'uploads' &&
  // The service checks `max-affected` before it accepts the request.
  exchange.maximum === undefined &&
  exchange.resource.deferral !== false;

/**
 * The action that the request calls. A request with several items calls another action than a request with one item.
 */
export const actionOf = ({ endpoint, content }: Pick<Understood, 'endpoint' | 'content'>): NamedAction =>
  (content.kind === 'items' && endpoint.several) || endpoint;
