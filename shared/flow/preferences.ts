import { parsePrefer } from '../http/prefer.ts';
import { step } from './step.ts';

/** Reads what the client would prefer. Whoever honours a preference adds it to `applied`. Source: RFC 7240. */
export const preferences = step('preferences', [], (exchange) => {
  exchange.preferences = parsePrefer(exchange.request.headers.prefer);
  exchange.applied = [];
  return undefined;
});
