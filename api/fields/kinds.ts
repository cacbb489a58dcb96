import type { Decimal } from '../../shared/json/decimal.ts';
import type { JsonValue } from '../../shared/json/value.ts';
import type { IntegerField } from '../../shared/resource/description/description.ts';
import type {
  AnyField,
  BinaryField,
  BooleanField,
  DateField,
  DateTimeField,
  DecimalField,
  Meaning,
  TextField,
} from '../../shared/resource/description/field-types.ts';
import * as field from '../../shared/resource/description/fields.ts';
import { type Declared, declare, type FieldFacts, ofDescription, type StoredForms } from './declared.ts';

/** The facts of a kind that an author states, in addition to those of every field. */
type Own<Kind, Less extends PropertyKey = never> = Partial<
  Omit<Kind, 'kind' | 'label' | 'computed' | keyof FieldFacts<boolean> | Less>
>;

export interface TextFacts<Given extends boolean, Server extends boolean, Choice extends string>
  extends FieldFacts<Given, Server>,
    Own<TextField, 'choices' | 'retired' | 'meanings'> {
  /** The only texts that the field can have. */
  readonly choices?: readonly Choice[];
  /** Former choices: items keep them and filters accept them, but no request can set them. */
  readonly retired?: readonly Choice[];
  /** The meaning of choices on pages: `positive`, `negative`, `waiting` or `neutral`, the default. */
  readonly meanings?: Readonly<Partial<Record<Choice, Meaning>>>;
}
export interface FormFacts<Given extends boolean, Server extends boolean>
  extends FieldFacts<Given, Server>,
    Own<TextField, 'choices' | 'retired' | 'format' | 'pattern'> {}
export interface IntegerFacts<Given extends boolean, Server extends boolean>
  extends FieldFacts<Given, Server>,
    Own<IntegerField, 'isId' | 'refersTo'> {}
export interface DecimalFacts<Given extends boolean, Server extends boolean>
  extends FieldFacts<Given, Server>,
    Own<DecimalField, 'minimum' | 'below'>,
    Pick<DecimalField, 'minimum' | 'below'> {}
export interface MoneyFacts<Given extends boolean, Server extends boolean>
  extends FieldFacts<Given, Server>,
    Own<DecimalField> {}
export interface BooleanFacts<Given extends boolean, Server extends boolean>
  extends FieldFacts<Given, Server>,
    Own<BooleanField> {}
export interface DateFacts<Given extends boolean, Server extends boolean>
  extends FieldFacts<Given, Server>,
    Own<DateField> {}
export interface DateTimeFacts<Given extends boolean, Server extends boolean>
  extends FieldFacts<Given, Server>,
    Own<DateTimeField> {}
export interface AnyFacts<Given extends boolean, Server extends boolean>
  extends FieldFacts<Given, Server>,
    Own<AnyField> {}

/**
 * Returns a text. `minimum`, `maximum`: characters. `choices`: the only texts. `pattern`: a regular expression for the
 * whole text. Lists that an index orders compare its first 1,000 bytes.
 */
export const text = <
  const Choice extends string = string,
  const Given extends boolean = false,
  const Server extends boolean = false,
>(
  facts: TextFacts<Given, Server, Choice> = {},
): Declared<Choice, Given, Server> => declare(facts, (label) => field.text(label, ofDescription(facts)));

/** Returns an e-mail address that HTML's `<input type=email>` accepts. */
export const email = <const Given extends boolean = false, const Server extends boolean = false>(
  facts: FormFacts<Given, Server> = {},
): Declared<string, Given, Server> =>
  declare({ label: 'E-mail', ...facts }, (label) => ({
    ...field.email(label, 'name@example.org'),
    ...ofDescription(facts),
  }));

/** Returns the address of a page: `http` or `https`. */
export const url = <const Given extends boolean = false, const Server extends boolean = false>(
  facts: FormFacts<Given, Server> = {},
): Declared<string, Given, Server> => declare(facts, (label) => field.url(label, ofDescription(facts)));

/** Returns a whole number, 0 or more without `minimum`. Source: RFC 8259 §6. */
export const integer = <const Given extends boolean = false, const Server extends boolean = false>(
  facts: IntegerFacts<Given, Server> = {},
): Declared<number, Given, Server> => declare(facts, (label) => field.integer(label, ofDescription(facts)));

/**
 * Returns an exact decimal of at most 38 digits: at least `minimum`, below `below`.
 * @throws Error without these bounds, in code that no compiler has checked
 */
export const decimal = <const Given extends boolean = false, const Server extends boolean = false>(
  facts: DecimalFacts<Given, Server>,
): Declared<Decimal, Given, Server> => {
  if (facts?.minimum === undefined || facts.below === undefined)
    throw new Error('A decimal has bounds. State them: decimal({ minimum: 0, below: 1000 })');
  return declare(facts, (label) => field.decimal(label, ofDescription(facts)));
};

/** Returns an exact amount of money: 0 or more, below 10^15. `currency`: its code in ISO 4217, such as `EUR`. */
export const money = <const Given extends boolean = false, const Server extends boolean = false>(
  facts: MoneyFacts<Given, Server> = {},
): Declared<Decimal, Given, Server> => {
  const { example = 43.5, ...rest } = ofDescription(facts);
  return declare(facts, (label) => field.money(label, Number(example), rest));
};

/** True or false. */
export const boolean = <const Given extends boolean = false, const Server extends boolean = false>(
  facts: BooleanFacts<Given, Server> = {},
): Declared<boolean, Given, Server> => declare(facts, (label) => field.boolean(label, ofDescription(facts)));

/** Returns a day without a time: `2026-12-31`. Source: RFC 3339 §5.6, full-date. */
export const date = <const Given extends boolean = false, const Server extends boolean = false>(
  facts: DateFacts<Given, Server> = {},
): Declared<string, Given, Server> => declare(facts, (label) => field.date(label, ofDescription(facts)));

/** Returns a time, shown in UTC with ms: `2026-12-31T18:00:00.000Z`. Source: RFC 3339 §5.6. */
export const dateTime = <const Given extends boolean = false, const Server extends boolean = false>(
  facts: DateTimeFacts<Given, Server> = {},
): Declared<string, Given, Server> => declare(facts, (label) => field.dateTime(label, ofDescription(facts)));

/** Any JSON value, or a value of one of the `types`. */
export const anyValue = <const Given extends boolean = false, const Server extends boolean = false>(
  facts: AnyFacts<Given, Server> = {},
): Declared<JsonValue, Given, Server> =>
  declare(facts, (label) => field.anyValue(label, ofDescription(facts)));

/**
 * Bytes of a media type in the range `accepts`, such as `image/*`. `link`: the relation of the link of an item to its
 * bytes. Clients read and write them at `?fields=` with the name of the field.
 */
export const binary = (
  facts: Pick<FieldFacts<false>, 'label' | 'help' | 'readableBy' | 'writableBy'> &
    Pick<BinaryField, 'accepts'> & { readonly link?: string },
): Declared<never, false, false> => {
  const { link, ...rest } = facts;
  return declare(
    rest,
    (label) => field.binary(label, ofDescription(rest)),
    link === undefined ? {} : { link },
  );
};

/** Returns an array of values of one field, at most 1,000 without `maximum`. */
export const array = <Value, const Given extends boolean = false, const Server extends boolean = false>(
  of: Declared<Value>,
  facts: FieldFacts<Given, Server> &
    StoredForms & { readonly minimum?: number; readonly maximum?: number } = {},
): Declared<readonly Value[], Given, Server> =>
  declare(facts, (label) => field.array(label, of.field('value'), ofDescription(facts)));

/** Returns a time that the service sets, in ms since the epoch. */
export const timestamp = <const Given extends boolean = false>(
  facts: Omit<FieldFacts<Given>, 'required' | 'server'> = {},
): Declared<number, Given, true> =>
  declare({ ...facts, server: true }, (label) =>
    field.timestamp(label, { ...ofDescription(facts), server: true }),
  );
