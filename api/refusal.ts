/**
 * The refusal of a request by the code of a resource. With `errors` it is a 400 that names the fields, otherwise a 409.
 */
export interface Refusal {
  readonly kind: 'refusal';
  readonly detail: string;
  readonly errors: Readonly<Record<string, string>>;
}

/**
 * Refuses the request. `detail`: what is wrong and what to do, for people. `errors`: the fault of each wrong field by
 * its name, as in `{ due: 'must be after the start' }`.
 */
export const refuse = (detail: string, errors: Refusal['errors'] = {}): Refusal => ({
  kind: 'refusal',
  detail,
  errors,
});
