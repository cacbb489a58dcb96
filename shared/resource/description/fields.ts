import type { Decimal } from '../../json/decimal.ts';
import type { JsonValue } from '../../json/value.ts';

/**
 * The vocabulary for the fields of a resource. Validation, every representation, form inputs, storage and the API
 * description all read this one description.
 */
interface Common {
  /** The label of the field for people. */
  readonly label: string;
  /** The service alone sets this field. It ignores the field in POST and PUT, and refuses it in PATCH. */
  readonly server?: boolean;
  /** An example for the API description. */
  readonly example?: string | number;
  /** A relation. A PUT without the field keeps its value, and null removes it. Source: Specification 2.7, 2.8. */
  readonly keptByPut?: boolean;
  /** The field is absent from an item whose other fields have the values of their examples. A parameter is optional. */
  readonly seldom?: boolean;
}

/** How to read the form in which an earlier version of the description stored a value. Source: Specification 13.1. */
export interface EarlierForm {
  /** Items of an earlier version than this have the form. */
  readonly before: number;
  /**
   * Returns the value as this version stores it; undefined for an unknown form. `stored`: the text or the number of the
   * attribute. A structure is its JSON text. `schema`: the version that stored the item.
   */
  readonly read: (stored: string | Decimal, schema: number) => JsonValue | undefined;
}

/** A field whose values have an attribute of their own. */
interface Stored extends Common {
  /**
   * The first name of the property. Its attribute and its index have this name for ever, so that every release reads
   * the items of all others. Source: Specification 13.1.
   */
  readonly was?: string;
  /**
   * No two items have the same text or number in this field; an owner's items, if they have owners. Texts differ by
   * their case. Decision 54.
   */
  readonly unique?: boolean;
  /** Only for fields that every write replaces: neither `server` nor `keptByPut`. */
  readonly earlier?: EarlierForm;
}

/** Text: at most `maximum` characters (code points). Without `maximum`, the size of the item is the only limit. */
export interface TextField extends Stored {
  readonly kind: 'text';
  readonly maximum?: number;
  readonly format?: 'email';
  /** The text is a reference to another resource: pages show it as a link. */
  readonly reference?: boolean;
  readonly choices?: readonly string[];
  /** The service may add choices, so clients must accept any text in a response. */
  readonly grows?: boolean;
}

/** A whole number between `minimum` and `maximum`, both inclusive and exact in a double. */
export interface IntegerField extends Stored {
  readonly kind: 'integer';
  readonly minimum: number;
  readonly maximum: number;
  /** The identifier of an item of another resource. A request can also have its decimal text. */
  readonly isId?: boolean;
  /** The value is a percentage. */
  readonly percent?: boolean;
  /** The value if a POST or PUT leaves the field out. */
  readonly default?: number;
}

/**
 * An exact decimal: at least `minimum`, below `below`, at most `digits` significant digits. Its absolute value is 0
 * or at least `least`. `written`: a pattern of further texts that a parameter can have, such as `+1`, of at
 * most 50 characters.
 */
export interface DecimalField extends Stored {
  readonly kind: 'decimal';
  readonly minimum: number;
  readonly below: number;
  readonly digits: number;
  readonly least?: number;
  readonly written?: string;
}

/** A time, stored as ms since the epoch, shown as RFC 3339 in UTC. */
export interface TimestampField extends Stored {
  readonly kind: 'timestamp';
}

/**
 * A property with properties of its own, which the service sets. It is stored as one JSON text. `open`: it may have
 * undeclared properties.
 */
export interface StructureField extends Stored {
  readonly kind: 'structure';
  readonly fields: Fields;
  readonly required: readonly string[];
  readonly open?: boolean;
  /** The value is an array of such objects. */
  readonly several?: boolean;
}

/**
 * Bytes of a media type in the range `accepts`, such as `image/*`. Representations show where they are. `earlier`: the
 * prefix of objects that an earlier release stored under the identifier of the item, and the internal field with their
 * media type.
 */
export interface BinaryField extends Common {
  readonly kind: 'binary';
  readonly accepts: `${string}/*`;
  readonly earlier?: { readonly objects: string; readonly type: string };
}

/** The types of JSON values except null, under their names in JSON Schema. */
export type JsonType = 'string' | 'number' | 'boolean' | 'object' | 'array';

/**
 * A value of one of several JSON types; any JSON value if `types` is absent. Formats show it like an undeclared
 * property. Source: Specification 2.11.
 */
export interface AnyField extends Common {
  readonly kind: 'any';
  readonly types?: readonly JsonType[];
}

export type Field =
  | TextField
  | IntegerField
  | DecimalField
  | TimestampField
  | StructureField
  | BinaryField
  | AnyField;
export type Fields = Readonly<Record<string, Field>>;

/** The name of the attribute with the values of a field. */
export function attributeOf({ fields }: { readonly fields: Fields }, name: string): string {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return (field && isStored(field) ? field.was : undefined) ?? name;
}

/** How to read earlier values of a field; undefined if they have the same form. */
export const earlierFormOf = (field: Field | undefined): EarlierForm | undefined =>
  field && isStored(field) ? field.earlier : undefined;

/** A value of several types and the bytes of a binary property have no attribute of their own. */
const isStored = (field: Field): field is Exclude<Field, BinaryField | AnyField> =>
  field.kind !== 'binary' && field.kind !== 'any';

/** Maximum bytes of the JSON text of an item: DynamoDB stores at most 400 KB. Source: Specification 10.10. */
export const MAXIMUM_ENTITY = 256 * 1024;

/**
 * A text. Lists that an index orders compare its first 1,000 bytes (a sort key has 1,024), then the identifier.
 */
export const text = (label: string, options: Partial<Omit<TextField, 'kind' | 'label'>> = {}): TextField => ({
  kind: 'text',
  label,
  ...options,
});

/** An e-mail address that HTML's `<input type=email>` accepts. */
export const email = (label: string, example: string): TextField =>
  text(label, { format: 'email', maximum: 254, example });

/** A whole number that JSON readers represent exactly. Source: RFC 8259 §6. */
export const integer = (
  label: string,
  options: Partial<Omit<IntegerField, 'kind' | 'label'>> = {},
): IntegerField => ({ kind: 'integer', label, minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...options });

/** A value of one of these JSON types; without types, any JSON value. */
export const anyValue = (label: string, options: Omit<AnyField, 'kind' | 'label'> = {}): AnyField => ({
  kind: 'any',
  label,
  ...options,
});

/** A time. */
export const timestamp = (
  label: string,
  options: Omit<TimestampField, 'kind' | 'label'> = {},
): TimestampField => ({ kind: 'timestamp', label, ...options });

/** An exact decimal of up to 38 significant digits, the precision of DynamoDB. */
export const decimal = (
  label: string,
  options: Pick<DecimalField, 'minimum' | 'below' | 'least' | 'written' | 'example'>,
): DecimalField => ({ kind: 'decimal', label, digits: 38, ...options });

/** An amount of money: 0 or more, below 10^15. */
export const money = (label: string, example: number): DecimalField =>
  decimal(label, { minimum: 0, below: 1e15, least: 1e-129, example });

/** Bytes with a media type in a range. Source: Specification 2.21. */
export const binary = (label: string, options: Pick<BinaryField, 'accepts' | 'earlier'>): BinaryField => ({
  kind: 'binary',
  label,
  seldom: true,
  ...options,
});

/** A property with properties of its own. */
export const structure = (
  label: string,
  fields: Fields,
  options: Partial<Pick<StructureField, 'required' | 'open' | 'several' | 'seldom'>> = {},
): StructureField => ({
  kind: 'structure',
  label,
  fields,
  server: true,
  required: Object.keys(fields),
  ...options,
});
