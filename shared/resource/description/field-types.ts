import type { Decimal } from '../../json/decimal.ts';
import type { JsonObject, JsonType, JsonValue } from '../../json/value.ts';

/** The time of a response. */
export interface Clock {
  /** The time in ms since the epoch. */
  readonly now: number;
  /** The day in UTC: `2026-12-31`. */
  readonly today: string;
}

/**
 * The facts that fields of every kind can have. Validation, every representation, form inputs, storage and the API
 * description all read these facts.
 */
export interface CommonFacts {
  /** The label of the field for people. */
  readonly label: string;
  /** True: programs alone read the value. Pages do not show it. */
  readonly coded?: true;
  /** A sentence for people who fill in the field. */
  readonly help?: string;
  /** The service alone sets this field. It ignores the field in POST and PUT, and refuses it in PATCH. */
  readonly server?: boolean;
  /** The value does not change after the creation of the item. A write that changes or removes it gets 409. */
  readonly immutable?: boolean;
  /** The states of the process in which no request changes the value: it gets 409. */
  readonly lockedIn?: readonly string[];
  /** Computes the value from the values that clients set: see `computed` in values.ts. */
  readonly computed?: (values: JsonObject) => JsonValue | undefined;
  /** Computes the value for each response from the stored values: no item has it, and no list sorts or filters by it. */
  readonly atReading?: (values: JsonObject, clock: Clock) => JsonValue | undefined;
  /** An example for the API description. */
  readonly example?: string | number | boolean;
  /**
   * The scope that a caller needs to see the value, and to select, sort and filter by it: `salaries:read`. A PUT of a
   * caller without it keeps the value. Decision 57.
   */
  readonly readableBy?: string;
  /** The scope that a caller needs to set, change or remove the value: `salaries:write`. Decision 57. */
  readonly writableBy?: string;
  /** A PUT without the field keeps its value, and null removes it. Source: Specification 2.7, 2.8. */
  readonly keptByPut?: boolean;
  /** Examples of items in the API description leave the field out. A parameter with this fact is optional. */
  readonly seldom?: boolean;
}

/** How to read the form in which an earlier version of the description stored a value. Source: Specification 13.1. */
export interface EarlierForm {
  /** Items of an earlier version than this have the form. */
  readonly before: number;
  /**
   * Returns the value as this version stores it; undefined for an unknown form. `stored`: the value of the attribute. A
   * structure is its JSON text. `schema`: the version that stored the item.
   */
  readonly read: (stored: string | Decimal | boolean, schema: number) => JsonValue | undefined;
}

/**
 * How to read the form in which the next version of the description will store a value. This release still stores its
 * own form, so a roll-back to it reads all items. Source: Specification 13.1.
 */
export interface LaterForm {
  /** Items of this version and later ones have the form. */
  readonly from: number;
  /** As in `EarlierForm`. */
  readonly read: EarlierForm['read'];
}

/** A field whose values have an attribute of their own. */
export interface StoredField extends CommonFacts {
  /**
   * The first name of the property. Its attribute and its index have this name for ever, so that every release reads
   * the items of all others. Source: Specification 13.1.
   */
  readonly was?: string;
  /**
   * No two items have the same text or number in this field. If items have owners, the rule holds for the items of each
   * owner. Texts with another case are different. Decision 54.
   */
  readonly unique?: boolean;
  /** Only for fields that every write replaces: neither `server` nor `keptByPut`. */
  readonly earlier?: EarlierForm;
  /** As `earlier`. */
  readonly later?: LaterForm;
}

/** What a choice means for people. Pages give it a color and a sign. */
export type Meaning = 'positive' | 'negative' | 'waiting' | 'neutral';

/**
 * Text: from `minimum` to `maximum` characters (code points). Without `maximum`, the size of the item is the only
 * limit.
 */
export interface TextField extends StoredField {
  readonly kind: 'text';
  /** Only the response to the creation has the value, and no item stores it: lists do not compare it. */
  readonly once?: true;
  /** The least number of characters (code points). */
  readonly minimum?: number;
  /** The most characters (code points). */
  readonly maximum?: number;
  /** A regular expression that the whole text must match. Also say what it means in `help`. */
  readonly pattern?: string;
  /** The form that HTML's inputs check. */
  readonly format?: 'email' | 'url';
  /** The text is a reference to another resource: pages show it as a link. */
  readonly reference?: boolean;
  /** The only texts that the field can have. */
  readonly choices?: readonly string[];
  /** Former choices: items keep them and filters accept them, but no request can set them. */
  readonly retired?: readonly string[];
  /** The meaning of choices for people. A choice without one is neutral. */
  readonly meanings?: Readonly<Partial<Record<string, Meaning>>>;
  /** The service may add choices, so clients must accept any text in a response. */
  readonly grows?: boolean;
  /** The value of a new item whose request leaves the field out. */
  readonly default?: string;
}

/**
 * An exact decimal: at least `minimum`, below `below`, at most `digits` significant digits. Its absolute value is 0
 * or at least `least`.
 */
export interface DecimalField extends StoredField {
  readonly kind: 'decimal';
  /** The least value. */
  readonly minimum: number;
  /** True: all values are above `minimum`. */
  readonly exclusive?: boolean;
  /** All values are below this one. */
  readonly below: number;
  /** The most significant digits. */
  readonly digits: number;
  /** The least absolute value other than 0. */
  readonly least?: number;
  /** The value is an amount of money. */
  readonly money?: boolean;
  /** The values are amounts in this currency. Source: ISO 4217. */
  readonly currency?: string;
  /** The most digits after the decimal point. */
  readonly decimals?: number;
  /** The value of a new item whose request leaves the field out. */
  readonly default?: number;
}

/** A value without further rules. */
interface Plain<Kind, Value> extends StoredField {
  readonly kind: Kind;
  /** The value of a new item whose request leaves the field out. */
  readonly default?: Value;
}

/** True or false. */
export type BooleanField = Plain<'boolean', boolean>;

/** A day, as `2026-11-22`. Source: RFC 3339 §5.6, full-date. */
export type DateField = Plain<'date', string>;

/** A time that a client sets, as text in UTC with ms: `2026-11-22T03:04:05.000Z`. Source: RFC 3339 §5.6. */
export type DateTimeField = Plain<'dateTime', string>;

/** A time that the service sets, stored as ms since the epoch, shown as RFC 3339 in UTC. */
export interface TimestampField extends StoredField {
  readonly kind: 'timestamp';
}

/**
 * Bytes of a media type in the range `accepts`, such as `image/*` or `application/pdf`. Representations show where they
 * are.
 */
export interface BinaryField extends CommonFacts {
  readonly kind: 'binary';
  /** The range of media types, such as `image/*` or `application/pdf`. */
  readonly accepts: `${string}/${string}`;
}

/**
 * A value of one of several JSON types; any JSON value if `types` is absent. Formats show it like an undeclared
 * property. Source: Specification 2.11.
 */
export interface AnyField extends CommonFacts {
  readonly kind: 'any';
  /** The JSON types that a value can have. */
  readonly types?: readonly JsonType[];
}

/** Returns all texts that an item can have: the choices and the retired ones; undefined: any text. */
export const choicesOf = ({ choices, retired = [] }: TextField): readonly string[] | undefined =>
  choices && [...choices, ...retired];
