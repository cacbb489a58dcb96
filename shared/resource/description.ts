import type { Fields } from './fields.ts';

/** What tells items apart: chosen by the service (integer) or by the client (text). */
export interface Identifier {
  readonly name: string;
  readonly kind: 'integer' | 'text';
  readonly label: string;
  /** Of a text: a regular expression, and how many characters it has at most. */
  readonly pattern?: string;
  readonly maximum?: number;
  readonly example: number | string;
}

/** What one item of a resource consists of. */
export interface Description<Declared extends Fields = Fields> {
  /** The name of one item, e.g. `member`: the root of its XML, the title of its page. */
  readonly singular: string;
  readonly identifier: Identifier;
  readonly fields: Declared;
  /** Fields that POST and PUT must give. */
  readonly required: readonly (keyof Declared & string)[];
  /** Open: properties beyond the declared ones are kept as sent. Closed: they are ignored. */
  readonly open: boolean;
  /** What the service keeps with an item and never shows. */
  readonly internal: Fields;
}

/** The names open properties may have. */
export const OPEN_NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;

/** Describes the items of a resource. */
export function describe<const Declared extends Fields>(
  facts: Pick<Description<Declared>, 'singular' | 'fields'> & Partial<Description<Declared>>,
): Description<Declared> {
  return {
    identifier: { name: 'id', kind: 'integer', label: 'Number', example: 114811818447734 },
    required: [],
    open: false,
    internal: {},
    ...facts,
  };
}

/** Fields that the service sets on every item, beside the identifier and those declared as `server`. */
export const SERVER_FIELDS: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'links']);

/** Whether the service alone sets this field. */
export function isServerField(description: Description, name: string): boolean {
  if (name === description.identifier.name || SERVER_FIELDS.has(name)) return true;
  return Object.hasOwn(description.fields, name) && description.fields[name]?.server === true;
}
