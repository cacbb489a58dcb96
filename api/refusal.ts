/**
 * The refusal of a request by the code of a resource. With `errors`, a check ends with 400 that names the fields. Without
 * them, and in an action, it is a 409.
 */
export class Refusal {
  readonly detail: string;
  /** The fault of each wrong field by its name. */
  readonly errors: Readonly<Record<string, string>>;

  constructor(detail: string, errors: Readonly<Record<string, string>>) {
    this.detail = detail;
    this.errors = errors;
  }
}

/**
 * Refuses the request. `detail`: what is wrong and what to do, for people. `errors`: the fault of each wrong field by
 * its name, as in `{ due: 'must be after the start' }`.
 */
export const refuse = (detail: string, errors: Refusal['errors'] = {}): Refusal =>
  new Refusal(detail, errors);

/** A list of code has too many items, or too many bytes, for an order without an index. Source: Specification 4.6. */
export class ListTooLong extends Error {}
