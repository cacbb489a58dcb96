import { hasPreconditions } from '../http/conditional/conditions.ts';
import { MAXIMUM_BYTES } from '../http/maximum-sizes.ts';
import { ANYONE } from '../resource/access/owner.ts';
import type { ActionInput } from '../resource/actions/action.ts';
import type { NamedAction } from '../resource/route.ts';
import type { Preferred, Ready, Understood } from './exchange.ts';
import { recordedAnswer } from './recorded-answer.ts';
import type { ChangedValues } from './values/changed-values.ts';

const NO_QUERY: ActionInput['query'] = {};

/**
 * The input of the action that a request calls. Before look-up, no state is known. `changed`: the values that depend on
 * the present ones.
 */
export function actionInput(exchange: Understood & Partial<Ready>, changed?: ChangedValues): ActionInput {
  const { request, endpoint, parameters, page, content, maximum, keyed, expected, asOperation } = exchange;
  const { basePath, path, requestId } = request;
  let query = NO_QUERY;
  if (endpoint.parameters) {
    query = Object.fromEntries(endpoint.parameters.map((name) => [name, request.query.get(name)]));
  }
  return {
    id: parameters.id,
    name: parameters.name,
    parameters: parameters.others,
    isPage: exchange.representation.isPage,
    query,
    page,
    binary: exchange.binary,
    values: changed?.values ?? (content.kind === 'item' ? content.values : undefined),
    binaries: changed?.binaries ?? (content.kind === 'item' ? content.binaries : undefined),
    sent: content.kind === 'bytes' ? content.sent : undefined,
    files: content.kind === 'files' ? content.files : undefined,
    uploads: content.kind === 'uploads' ? content.uploads : undefined,
    origin: content.kind === 'uploads' ? { basePath, path, requestId } : undefined,
    elements: content.kind === 'items' ? content.elements : undefined,
    fieldLimits: exchange.fieldLimits,
    lenient: exchange.preferences.get('handling') === 'lenient',
    maximum,
    expected,
    mostBytes: sendsAllBytes(exchange) ? MAXIMUM_BYTES : undefined,
    current: exchange.state?.kind === 'item' ? exchange.state.item : undefined,
    idempotency: keyed && { ...keyed, answer: (outcome) => recordedAnswer({ ...exchange, outcome }) },
    work: asOperation?.work,
    waitMs: waitMs(exchange),
    visit: endpoint.signsIn ? request : undefined,
    caller: request.principal ?? ANYONE,
    now: request.receivedAt,
  };
}

/** True if the response carries all bytes of the target, unless there are too many. */
const sendsAllBytes = ({ request, endpoint, preconditions }: Understood): boolean =>
  endpoint.shape === 'bytes' &&
  request.method === 'GET' &&
  request.headers.range === undefined &&
  !hasPreconditions(preconditions);

/**
 * True if look-up reads the item only to compare it with the content: a PUT that changes nothing writes nothing. Such a
 * PUT has no condition. It replaces any version, also one of a form that the service cannot read.
 *
 * Source: Specification 3.6.
 */
export const isCompared = ({
  endpoint,
  content,
  fieldLimits,
  preconditions,
}: Pick<Understood, 'endpoint' | 'content' | 'fieldLimits' | 'preconditions'>): boolean =>
  content.kind === 'item' &&
  !endpoint.creates &&
  !hasPreconditions(preconditions) &&
  (fieldLimits?.kept.length ?? 0) === 0;

/** How long the client wants the service to wait for a change of the target, in ms. Source: RFC 7240 §4.3. */
export function waitMs({ preferences }: Preferred): number | undefined {
  const seconds = preferences.get('wait') ?? '';
  return /^[0-9]{1,9}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

/**
 * The action that the request calls. A request with several items calls another action than a request with one item.
 */
export const actionOf = ({ endpoint, content }: Pick<Understood, 'endpoint' | 'content'>): NamedAction =>
  (content.kind === 'items' && endpoint.several) || endpoint;
