import type { ActionInput } from '../resource/action.ts';
import type { NamedAction } from '../resource/route.ts';
import type { Exchange } from './exchange.ts';

const NO_QUERY: ActionInput['query'] = {};

/** The input of the action that a request calls. */
export function actionInput(exchange: Exchange): ActionInput {
  const {
    request,
    operation,
    parameters,
    page,
    values,
    bytesBody,
    files,
    elements,
    uploads,
    maximum,
    expected,
    once,
    work,
  } = exchange;
  const { basePath, path, requestId } = request;
  const current = exchange.state?.kind === 'item' ? exchange.state.item : undefined;
  let query = NO_QUERY;
  if (operation.parameters) {
    query = Object.fromEntries(operation.parameters.map((name) => [name, request.query.get(name)]));
  }
  return {
    id: parameters.id,
    name: parameters.name,
    parameters: parameters.others,
    query,
    page,
    values,
    sent: bytesBody,
    files,
    uploads,
    ...(uploads ? { origin: { basePath, path, requestId } } : {}),
    elements,
    lenient: exchange.preferences?.get('handling') === 'lenient',
    maximum,
    expected,
    current,
    idempotency: once,
    work,
    patience: waitMs(exchange),
    owner: request.principal?.subject,
    now: request.receivedAt,
  };
}

/** How long the client wants the service to wait for a change of the target, in ms. Source: RFC 7240 §4.3. */
export function waitMs({ preferences }: Exchange): number | undefined {
  const seconds = preferences?.get('wait') ?? '';
  return /^[0-9]{1,9}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

/**
 * The action that the request calls. A request with several items calls another action than a request with one item.
 */
export const actionOf = ({ operation, elements }: Exchange): NamedAction =>
  (elements && operation.several) || operation;
