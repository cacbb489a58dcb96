import type { Response } from '../../http/response.ts';
import type { Exchange } from '../exchange.ts';
import { represent } from './represent.ts';

/** The response to a successful request, with the preferences that the service applied. Source: RFC 7240 §3. */
export async function respond(exchange: Exchange): Promise<Response> {
  const represented = represent(exchange);
  const response = represented instanceof Promise ? await represented : represented;
  if (exchange.applied.length === 0) return response;
  return {
    ...response,
    headers: { ...response.headers, 'Preference-Applied': exchange.applied.join(', ') },
  };
}
