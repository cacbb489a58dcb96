import type { LookedUp, Negotiated } from '../exchange.ts';
import { step } from '../step.ts';

/**
 * Responds 406 if no acceptable format exists. It does so before the effect, but after every other error of the
 * request, because the client has to correct those in any case.
 *
 * Source: RFC 9110 §15.5.7.
 */
export const acceptable = step<Negotiated & LookedUp>()('acceptable', [406], ({ notAcceptable, lookup }) =>
  lookup?.kind === 'refused' ? undefined : notAcceptable,
);
