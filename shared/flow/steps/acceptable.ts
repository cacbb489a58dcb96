import { step } from '../step.ts';

/**
 * Refuses a request whose response could have no acceptable format: before its effect, but after every error of the
 * request itself, because the client has to mend that in any case.
 *
 * Source: RFC 9110 §15.5.7.
 */
export const acceptable = step('acceptable', [406], ({ notAcceptable, lookup }) =>
  lookup?.kind === 'refused' ? undefined : notAcceptable,
);
