import { parsePrefer } from '../../http/prefer.ts';
import { refuse } from '../ending.ts';
import { step } from '../step.ts';

/**
 * Reads the preferences of the client. A step that applies a preference adds it to `applied`. Source: RFC 7240;
 * PostgREST, "Max affected".
 */
export const preferences = step('preferences', [400], (exchange) => {
  exchange.preferences = parsePrefer(exchange.request.headers.prefer);
  exchange.applied = [];
  const { operation, preferences: requested } = exchange;
  const maximum = requested.get('max-affected');
  if (maximum === undefined || !operation.bulk || requested.get('handling') === 'lenient') return undefined;
  // The service ignores other malformed preferences. The client relies on this one as a guard, so it gets 400.
  if (!/^[0-9]{1,15}$/.test(maximum)) {
    return refuse('validation-error', 'The preference max-affected is malformed', {
      errors: [{ header: 'Prefer', detail: 'max-affected must be a number of items' }],
    });
  }
  exchange.maximum = Number(maximum);
  exchange.applied.push(`max-affected=${maximum}`);
  return undefined;
});
