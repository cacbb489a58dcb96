import { Decimal } from '../../json/decimal.ts';
import { parseJson } from '../../json/parse.ts';
import { emptyObject, isObject, type JsonObject, type JsonValue, setMember } from '../../json/value.ts';
import type {
  ArrayField,
  Field,
  FieldKind,
  FilterValues,
  StructureField,
} from '../description/description.ts';
import { type AnyField, type BooleanField, choicesOf, type TextField } from '../description/field-types.ts';
import { decimalKind, integerKind, queryNumber } from './numbers.ts';
import { fold, OPERATORS, picksValues, TEXTUAL } from './operators.ts';
import { dateKind, dateTimeKind, timestampKind } from './times.ts';

/** Returns a value as it is. */
const keepValue = <T extends JsonValue>(value: T): T => value;

/** The texts that mean true or false. Source: XML Schema 1.1 Part 2 §3.3.2; `yes` and `no` are those of forms. */
const MEANINGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  ['yes', true],
  ['no', false],
]);

/** True or false. False sorts before true. */
export const booleanKind: FieldKind<BooleanField> = {
  attribute: 'boolean',
  comparing: {
    operators: [],
    read(text) {
      const value = MEANINGS.get(text);
      return value === undefined ? { fault: 'must be true or false' } : { scalars: [value] };
    },
  },
  ofText: (text) => MEANINGS.get(text.trim().toLowerCase()) ?? text,
  stored: (value) => value,
};

/**
 * A value of several types. A text has an attribute. All other values are in the JSON text of undeclared properties,
 * because the previous release reads them there. In a filter, the text of a number means the number, and with `=` also
 * the text.
 */
export const anyKind: FieldKind<AnyField> = {
  attribute: 'text',
  comparing: {
    operators: TEXTUAL,
    read(text, operator) {
      if (operator === 'words') return readWords(text);
      const number = OPERATORS[operator].accepts === 'beginning' ? undefined : queryNumber(text);
      return { scalars: number ? (picksValues(operator) ? [text, number] : [number]) : [text] };
    },
  },
  ofText: keepValue,
  stored: keepValue,
};

/** Text, also with choices, or in the form of an e-mail address or of a URL. */
export const textKind: FieldKind<TextField> = {
  attribute: 'text',
  comparing: {
    operators: TEXTUAL,
    read: (text, operator, field) => {
      if (operator === 'words') return readWords(text);
      const choices = choicesOf(field);
      return !picksValues(operator) || !choices || choices.includes(text)
        ? { scalars: [text] }
        : { fault: `must be one of ${choices.join(', ')}` };
    },
  },
  ofText: keepValue,
  stored: keepValue,
};

/** A request reads up to 10,000 rows and looks for each word in each of them. */
const MAXIMUM_WORDS = 20;

/** Returns the words of a search. Source: Specification 4.14. */
function readWords(text: string): FilterValues {
  const words = fold(text).split(/\s+/).filter(Boolean);
  return words.length > MAXIMUM_WORDS
    ? { fault: `must have at most ${MAXIMUM_WORDS} words` }
    : { scalars: words };
}

/** Returns the object or the array that a text has, as in a cell of CSV; undefined if it has none. */
function jsonIn(text: string): JsonValue | undefined {
  const parsed = /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
  return parsed && 'value' in parsed ? parsed.value : undefined;
}

/** An array of values of one kind. In a form, each line is a value. */
const arrayKind: FieldKind<ArrayField> = {
  attribute: 'json',
  ofText: (text, { of }) =>
    jsonIn(text) ??
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => kindOf(of).ofText(line, of)),
  stored: (value: JsonValue, { of }) =>
    Array.isArray(value) ? value.map((one) => kindOf(of).stored(one, of)) : value,
};

/** Returns the declared property of a structure; undefined for an undeclared one. */
const fieldOf = ({ fields }: StructureField, name: string): Field | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

/** Returns the object whose properties are lines of a text; the text itself if a line has another form. */
function objectOfLines(text: string, structure: StructureField): JsonValue {
  const object = emptyObject();
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim();
    const value = line.slice(colon + 1).trim();
    if (name === '' || /\s/.test(name)) return text;
    const field = fieldOf(structure, name);
    setMember(object, name, field ? kindOf(field).ofText(value, field) : value);
  }
  return object;
}

/** Returns the stored form of an object. */
function storedObject(value: JsonObject, structure: StructureField): JsonObject {
  const object = emptyObject();
  for (const name of Object.keys(value)) {
    const [field, inner] = [fieldOf(structure, name), value[name] as JsonValue];
    if (!field && structure.open) setMember(object, name, inner);
    // As in the item itself, null counts as left out. Source: Specification 2.16.
    else if (field && inner !== null) setMember(object, name, kindOf(field).stored(inner, field));
  }
  return object;
}

/** A property with properties of its own. In a form, each line is a property, such as `city: Paris`. */
const structureKind: FieldKind<StructureField> = {
  attribute: 'json',
  ofText: (text, structure) => jsonIn(text) ?? (structure.several ? text : objectOfLines(text, structure)),
  stored(value, structure) {
    if (Array.isArray(value)) return value.map((one) => (isObject(one) ? storedObject(one, structure) : one));
    return isObject(value) ? storedObject(value, structure) : value;
  },
};

/** True if values of a field contain decimals inside of an array or an object. */
const nestsDecimals = (field: Field): boolean =>
  field.kind === 'array'
    ? field.of.kind === 'decimal' || nestsDecimals(field.of)
    : field.kind === 'structure' &&
      Object.values(field.fields).some((one) => one.kind === 'decimal' || nestsDecimals(one));

/**
 * Returns a value that was stored as JSON with its decimals as `Decimal`, as code gets them: JSON has numbers of one kind.
 * Other parts stay as they are.
 */
export function withDecimals(value: JsonValue, field: Field): JsonValue {
  if (field.kind === 'decimal') return typeof value === 'number' ? Decimal.from(value) : value;
  if (!nestsDecimals(field)) return value;
  if (Array.isArray(value))
    return value.map((one) => withDecimals(one, field.kind === 'array' ? field.of : field));
  if (field.kind !== 'structure' || !isObject(value)) return value;
  const object = emptyObject();
  for (const [name, member] of Object.entries(value)) {
    const inner = fieldOf(field, name);
    setMember(object, name, inner ? withDecimals(member, inner) : member);
  }
  return object;
}

/**
 * All kinds of fields. A field with another look or other limits is a function of `api/fields/kinds.ts` over one of them, as
 * `money` is. A new kind needs a row here, and the compiler names its type, schema and rule. Without a place of its own in
 * openapi/requests/query.ts and, of pages, input-looks.ts, offered-filters.ts and shown-field.ts, it is a text there.
 */
const KINDS = {
  text: textKind,
  integer: integerKind,
  decimal: decimalKind,
  boolean: booleanKind,
  date: dateKind,
  dateTime: dateTimeKind,
  timestamp: timestampKind,
  any: anyKind,
  structure: structureKind,
  array: arrayKind,
  // The item names the bytes in attributes of their own: shared/store/form/binary-attributes.ts.
  binary: { attribute: 'none', ofText: keepValue, stored: keepValue },
} satisfies { readonly [Name in Field['kind']]: FieldKind<Extract<Field, { kind: Name }>> };

/** Returns the kind of a field. */
export function kindOf({ kind }: Field): FieldKind {
  return KINDS[kind];
}
