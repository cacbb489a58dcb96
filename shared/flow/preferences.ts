import { parsePrefer } from '../http/prefer.ts';
import { step } from './step.ts';

/** Reads what the client would prefer. Whoever honours a preference adds it to `applied`. Source: RFC 7240; PostgREST, "Max affected". */
export const preferences = step('preferences', [], (exchange) => {
  exchange.preferences = parsePrefer(exchange.request.headers.prefer);
  exchange.applied = [];
  const { operation, preferences: wanted } = exchange;
  const maximum = wanted.get('max-affected') ?? '';
  if (operation.bulk && wanted.get('handling') !== 'lenient' && /^[0-9]{1,15}$/.test(maximum)) {
    exchange.maximum = Number(maximum);
    exchange.applied.push(`max-affected=${maximum}`);
  }
  return undefined;
});
