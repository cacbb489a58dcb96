import type { Response } from '../../http/response.ts';
import type { Answerable } from '../exchange.ts';
import { represent } from './represent.ts';

/** The response to a successful request, with the preferences that the service applied. Source: RFC 7240 §3. */
export async function respond(exchange: Answerable): Promise<Response> {
  const represented = represent(exchange);
  const response = represented instanceof Promise ? await represented : represented;
  if (exchange.applied.length === 0) return response;
  const { 'Preference-Applied': last, ...headers } = response.headers;
  const applied = last === undefined ? exchange.applied : [...exchange.applied, last];
  return { ...response, headers: { ...headers, 'Preference-Applied': applied.join(', ') } };
}
