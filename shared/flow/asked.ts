import type { Asked } from '../resource/action.ts';
import type { Exchange } from './exchange.ts';

const NO_QUERY: Asked['query'] = {};

/** What an action is asked on behalf of a request. */
export function askedOf(exchange: Exchange): Asked {
  const { request, operation, parameters, page, values, sent, files, expected, once } = exchange;
  const current = exchange.state?.kind === 'item' ? exchange.state.item : undefined;
  let query = NO_QUERY;
  if (operation.parameters) {
    query = Object.fromEntries(operation.parameters.map((name) => [name, request.query.get(name)]));
  }
  return { parameters, query, page, values, sent, files, expected, current, once, now: request.receivedAt };
}
