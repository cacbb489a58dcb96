import type { Decimal } from '../../json/decimal.ts';
import { BASIC_NAME_PART, BASIC_NAME_START, NAME_PART, NAME_START } from '../../json/text.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Ownership } from '../access/owner.ts';
import type { Item } from '../item.ts';
import type { Operator } from '../kinds/operators.ts';
import type { LinkFact } from '../link.ts';
import type {
  AnyField,
  BinaryField,
  BooleanField,
  CommonFacts,
  DateField,
  DateTimeField,
  DecimalField,
  EarlierForm,
  LaterForm,
  StoredField,
  TextField,
  TimestampField,
} from './field-types.ts';

/** A whole number between `minimum` and `maximum`, both inclusive and exact in a double. */
export interface IntegerField extends StoredField {
  readonly kind: 'integer';
  /** The least value. */
  readonly minimum: number;
  /** The largest value. */
  readonly maximum: number;
  /** The identifier of an item of another resource. A request can also have its decimal text. */
  readonly isId?: boolean;
  /** The item that the identifier names must exist when a request sets the value. Decision 54. */
  readonly refersTo?: Reference;
  /** The unit of the value. Pages show a percentage as a bar, and bytes in kB, MB or GB. */
  readonly unit?: 'percent' | 'bytes';
  /** The value of a new item whose request leaves the field out. */
  readonly default?: number;
}

/**
 * A property with properties of its own. It is stored as one JSON text. `open`: it may have undeclared properties. A
 * closed one ignores them.
 */
export interface StructureField extends StoredField {
  readonly kind: 'structure';
  readonly fields: Fields;
  readonly required: readonly string[];
  readonly open?: boolean;
  /** The value is an array of such objects. */
  readonly several?: boolean;
}

/** An array of values of one field: from `minimum` to `maximum` of them. It is stored as one JSON text. */
export interface ArrayField extends StoredField {
  readonly kind: 'array';
  readonly of: Field;
  readonly minimum?: number;
  readonly maximum: number;
}

export type Field =
  | TextField
  | IntegerField
  | DecimalField
  | BooleanField
  | DateField
  | DateTimeField
  | TimestampField
  | StructureField
  | ArrayField
  | BinaryField
  | AnyField;
export type Fields = Readonly<Record<string, Field>>;

/**
 * A reference to items of a resource. `key`: the name of their identifier, an integer. `onDelete`: what the service
 * does if others refer to an item that a client removes. `restrict`: it refuses the removal. `clear`: it removes the
 * references, soon after the item. `keep`: the others keep the identifier. `facts`: those of the items, if known.
 */
export interface Reference {
  readonly resource: string;
  readonly key: string;
  readonly facts?: ItemFacts;
  readonly onDelete: 'keep' | 'restrict' | 'clear';
}

/** The identifier of items: the service chooses an integer, or the client chooses a text. */
export interface Identifier {
  readonly name: string;
  readonly kind: 'integer' | 'text';
  readonly label: string;
  /** For a text: a regular expression, and the maximum number of characters. */
  readonly pattern?: string;
  readonly maximum?: number;
  /** For a text: the fault of an identifier that a client chose; undefined if it has none. */
  readonly faultOf?: (text: string) => string | undefined;
  readonly example: number | string;
}

/**
 * The name of an item for people: a field, several fields, or a function of its properties. Pages write several fields
 * after the kind of the item: `Order of Acme, 43.50 EUR, paid`.
 */
export type Title<Name extends string = string> =
  | Name
  | readonly Name[]
  | ((members: Readonly<Record<string, unknown>>) => string | undefined);

/** The description of one item of a resource. */
export interface Description<Declared extends Fields = Fields> {
  /** Increased when the stored form of a field changes. Each stored item has it. Source: Specification 13.1. */
  readonly version: number;
  /** The name of one item, e.g. `member`: the root of its XML, the title of its page. */
  readonly singular: string;
  /** The name of an item on pages; undefined: its kind and its identifier, such as `Order 115`. */
  readonly title?: Title;
  readonly identifier: Identifier;
  readonly fields: Declared;
  /** Fields that a POST or PUT must have. */
  readonly required: readonly string[];
  /** Open: the service stores undeclared properties as the client sent them. Closed: it ignores them. */
  readonly open: boolean;
  /** Fields that the service stores with an item and never shows. */
  readonly internal: Fields;
  /** What follows from these facts. */
  readonly plan: Plan;
}

/** A value in a filter. A `timestamp` is a number of ms since the epoch. */
export type Scalar = string | boolean | Decimal;

/** The values of a filter that a text means, or the fault of the text. */
export type FilterValues = { readonly scalars: readonly Scalar[] } | { readonly fault: string };

/** How filters and orders compare the values of a kind. */
interface Comparing<F extends Field> {
  /** The operators in addition to `=`. */
  readonly operators: readonly Operator[];
  /** Reads one value of a filter. A `+` of the query arrives as a space. Source: Specification 4.11 to 4.14. */
  read(text: string, operator: Operator, field: F): FilterValues;
}

/**
 * How the service handles the values of one kind of field. A value is in its stored form: the form of `stored`.
 *
 * - `schema` of the kind is in service/validation/json-schema.ts, because no function needs it when it runs.
 * - The room pages says how they show a value and which input a form has.
 */
export interface FieldKind<F extends Field = Field> {
  /** The stored attribute with the values. `json`: their JSON text. `none`: they have no attribute. */
  readonly attribute: 'text' | 'whole' | 'decimal' | 'boolean' | 'json' | 'none';
  /** How values compare; undefined: lists have no filter and no order by this kind. */
  readonly comparing?: Comparing<F>;
  /**
   * The value that a text means in a format without types: a form, CSV, or XML. A text that means none stays as it is,
   * and the validator refuses it.
   */
  ofText(text: string, field: F): JsonValue;
  /** The value that an input of a form means, if it differs from that of a text. */
  ofForm?(text: string, field: F): JsonValue;
  /** The stored form of a value that a client sent. A value of another type stays as it is. */
  stored(value: JsonValue, field: F): JsonValue;
}

/** A field, with what its facts mean for the storage. */
export interface PlannedField {
  readonly name: string;
  readonly field: Field;
  readonly kind: FieldKind;
  /** The name of the attribute with the values. */
  readonly attribute: string;
  /** How to read values of other versions; undefined if they have the same form. */
  readonly earlier: EarlierForm | undefined;
  readonly later: LaterForm | undefined;
}

/** A description, compiled once. Each list names only the fields with a fact, so a request pays for no other fact. */
export interface Plan {
  readonly fields: ReadonlyMap<string, PlannedField>;
  /** The names that the service alone sets. */
  readonly server: ReadonlySet<string>;
  /** The names of the fields, and of what the service sets, by their `spelling`. */
  readonly spellings: ReadonlyMap<string, string>;
  /** The fields with a default. */
  readonly defaulted: readonly (readonly [planned: PlannedField, value: JsonValue])[];
  readonly computed: readonly (readonly [name: string, of: NonNullable<CommonFacts['computed']>])[];
  /** The fields whose value each response computes. `fields` lacks them. */
  readonly atReading: readonly (readonly [name: string, of: NonNullable<CommonFacts['atReading']>])[];
  readonly keptByPut: readonly string[];
  /** The fields whose value a replacement leaves if it lacks them: those above, and those that only actions set. */
  readonly left: readonly string[];
  readonly immutable: readonly string[];
  /** The fields that a state of the process locks. */
  readonly locked: readonly (readonly [name: string, states: readonly string[]])[];
}

/** The facts that make the representation of an item, in its own resource and inside an item of another one. */
export interface ItemFacts {
  /** The name of the resource. */
  readonly name: string;
  readonly description: Description;
  /** The revision of the representation; undefined: 1. */
  readonly revision?: number;
  readonly links: (item: Item) => readonly LinkFact[];
  /** The fields whose order an index has. */
  readonly sortable?: readonly string[];
  /** Who owns an item, as the resource states it. */
  readonly owner?: Ownership;
}

/** The names that undeclared properties may have: an XML name of at most 64 characters. Source: Specification 2.13. */
export const OPEN_NAME = new RegExp(`^${NAME_START}${NAME_PART}{0,63}$`, 'u');

/** The pattern of these names in the API description, which any regular-expression engine can read. */
export const PUBLISHED_NAME = `^${BASIC_NAME_START}${BASIC_NAME_PART}{0,63}$`;

/** True if an undeclared property can have this name. */
export const isOpenName = (description: Description, name: string): boolean =>
  description.open &&
  OPEN_NAME.test(name) &&
  !Object.hasOwn(description.fields, name) &&
  !isServerField(description, name);

/**
 * Fields that the service sets on every item, in addition to the identifier and the fields declared as `server`.
 */
export const SERVER_FIELDS: ReadonlySet<string> = new Set([
  'createdAt',
  'updatedAt',
  'createdBy',
  'updatedBy',
  'links',
]);

/** True if the service alone sets this field. */
export function isServerField(description: Description, name: string): boolean {
  if (name === description.identifier.name || SERVER_FIELDS.has(name)) return true;
  return Object.hasOwn(description.fields, name) && description.fields[name]?.server === true;
}
