import { PREFERENCE_NAMES, parsePrefer, unknownPreference } from '../../../http/fields/prefer.ts';
import { refuse } from '../../ending.ts';
import type { Preferred, Received, Targeted } from '../../exchange.ts';
import { step } from '../../step.ts';

/** Those of a request without preferences. */
export const NO_PREFERENCES: Preferred = { preferences: new Map(), maximum: undefined, applied: [] };

/**
 * Reads the preferences of the client. A step that applies a preference extends the list `applied`. Source: RFC 7240;
 * PostgREST, "Max affected".
 */
export const preferences = step<Received & Targeted, Preferred>()('preferences', [400], (exchange) => {
  const { request, endpoint } = exchange;
  const requested = parsePrefer(request.headers.prefer);
  const { prefer = '' } = request.headers;
  const unknown = requested.get('handling') === 'strict' ? unknownPreference(prefer) : undefined;
  if (unknown !== undefined) {
    return refuse(
      'validation-error',
      'The header field Prefer has an unknown preference, and handling=strict',
      {
        errors: [
          {
            header: 'Prefer',
            detail: `${unknown} is unknown: use ${PREFERENCE_NAMES.join(', ')}`,
          },
        ],
      },
    );
  }
  const maximum = requested.get('max-affected');
  const counts = endpoint.bulk || request.method === 'DELETE';
  if (maximum === undefined || !counts || requested.get('handling') === 'lenient')
    return { ...NO_PREFERENCES, preferences: requested };
  // The service ignores other malformed preferences. The client relies on this one as a guard, so it gets 400.
  if (!/^[0-9]{1,15}$/.test(maximum)) {
    return refuse(
      'validation-error',
      'The preference max-affected is malformed. Send a number, such as max-affected=10',
      { errors: [{ header: 'Prefer', detail: 'max-affected must be a number of items' }] },
    );
  }
  return { preferences: requested, maximum: Number(maximum), applied: [`max-affected=${maximum}`] };
});
