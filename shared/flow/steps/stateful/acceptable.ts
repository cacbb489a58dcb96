import type { LookedUp, Negotiated } from '../../exchange.ts';
import { step } from '../../step.ts';

/**
 * Responds 406 if no acceptable format exists. It does so before the effect, but after every other error of the
 * request, because the client has to correct those in any case.
 *
 * Stored bytes have one format, which the service sends whatever `Accept` says.
 *
 * Source: RFC 9110 §12.5.1, §15.5.7.
 */
export const acceptable = step<Negotiated & LookedUp>()(
  'acceptable',
  [406],
  ({ notAcceptable, lookup, state }) =>
    lookup?.kind === 'refused' || state?.kind === 'bytes' ? undefined : notAcceptable,
);
