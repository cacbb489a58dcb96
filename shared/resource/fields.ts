/**
 * The words a resource describes its fields with. Validation, every representation, form inputs, storage and
 * the API description all read this one description.
 */
interface Common {
  /** What a person reads beside the field. */
  readonly label: string;
  /** Set by the service alone: ignored in POST and PUT, refused in PATCH. */
  readonly server?: boolean;
  /** A value that the API description shows. */
  readonly example?: string | number;
  /** A relation: a PUT that leaves the field out keeps its value, and null removes it. */
  readonly keptByPut?: boolean;
  /** It is not there while the others are as in their examples. */
  readonly seldom?: boolean;
}

/** Text: at most `maximum` characters (code points). */
export interface TextField extends Common {
  readonly kind: 'text';
  readonly maximum: number;
  readonly format?: 'email';
  /** It is a reference to something else: pages show it as a link. */
  readonly reference?: boolean;
  readonly choices?: readonly string[];
}

/** A whole number between `minimum` and `maximum`, both inclusive and exact in a double. */
export interface IntegerField extends Common {
  readonly kind: 'integer';
  readonly minimum: number;
  readonly maximum: number;
  /** It says how much of something is there, in percent. */
  readonly percent?: boolean;
  /** Taken when a POST or PUT leaves the field out. */
  readonly default?: number;
}

/**
 * An exact decimal: at least `minimum`, below `below`, at most `digits` significant digits, and 0 or no nearer to it
 * than `least`.
 */
export interface DecimalField extends Common {
  readonly kind: 'decimal';
  readonly minimum: number;
  readonly below: number;
  readonly digits: number;
  readonly least?: number;
}

/** A moment, stored as milliseconds since the epoch, shown as RFC 3339 in UTC. */
export interface TimestampField extends Common {
  readonly kind: 'timestamp';
}

/** A member with members of its own, which the service sets; kept as one JSON text. `open`: others may stand among them. */
export interface StructureField extends Common {
  readonly kind: 'structure';
  readonly fields: Fields;
  readonly required: readonly string[];
  readonly open?: boolean;
  /** There is a list of them. */
  readonly several?: boolean;
}

export type Field = TextField | IntegerField | DecimalField | TimestampField | StructureField;
export type Fields = Readonly<Record<string, Field>>;

/** Characters of a text at most. Lists order texts by their first 1,000 bytes (a sort key has 1,024), then by identifier. */
const MAXIMUM_CHARACTERS = 10_000;

/** A text of at most `MAXIMUM_CHARACTERS`, unless said otherwise. */
export const text = (label: string, options: Partial<Omit<TextField, 'kind' | 'label'>> = {}): TextField => ({
  kind: 'text',
  label,
  maximum: MAXIMUM_CHARACTERS,
  ...options,
});

/** An e-mail address as HTML's `<input type=email>` takes it. */
export const email = (label: string, example: string): TextField =>
  text(label, { format: 'email', maximum: 254, example });

/** A whole number that JSON readers keep exact. Source: RFC 8259 §6. */
export const integer = (
  label: string,
  options: Partial<Omit<IntegerField, 'kind' | 'label'>> = {},
): IntegerField => ({ kind: 'integer', label, minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...options });

/** A moment. */
export const timestamp = (
  label: string,
  options: Omit<TimestampField, 'kind' | 'label'> = {},
): TimestampField => ({ kind: 'timestamp', label, ...options });

/** An exact decimal of up to 38 significant digits (what DynamoDB keeps). */
export const decimal = (
  label: string,
  options: Pick<DecimalField, 'minimum' | 'below' | 'least' | 'example'>,
): DecimalField => ({ kind: 'decimal', label, digits: 38, ...options });

/** An amount of money: 0 or more, below 10^15. */
export const money = (label: string, example: number): DecimalField =>
  decimal(label, { minimum: 0, below: 1e15, least: 1e-129, example });

/** A member with members of its own. */
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
