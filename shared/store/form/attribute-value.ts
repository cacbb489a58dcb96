import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Decimal } from '../../json/decimal.ts';
import { parseJson } from '../../json/parse.ts';
import type { JsonValue } from '../../json/value.ts';
import type { FieldKind } from '../../resource/description/description.ts';
import type { EarlierForm } from '../../resource/description/field-types.ts';

/** An item in the form that DynamoDB stores. */
export type Attributes = Record<string, AttributeValue>;

/** Converts decimals and integers as text, so that no binary float changes them between request and storage. */
export function toAttribute(value: JsonValue): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value instanceof Decimal) return { N: value.text };
  if (typeof value === 'object' && value !== null) return { S: JSON.stringify(value) };
  throw new Error(
    'A stored item is damaged: a declared field is neither text, number, boolean nor structure',
  );
}

/** Returns the value of a JSON text; undefined: the text is absent or no JSON. */
export function parseStored(json: string | undefined): JsonValue | undefined {
  const document = json === undefined ? undefined : parseJson(json);
  return document && 'value' in document ? document.value : undefined;
}

/** Returns the value of an attribute in the form of this version; undefined if it has another form. */
export function fromAttribute(
  form: FieldKind['attribute'],
  { S, N, BOOL }: AttributeValue,
): JsonValue | undefined {
  switch (form) {
    case 'text':
      return S;
    case 'json':
      return parseStored(S);
    case 'boolean':
      return BOOL;
    case 'decimal':
      return N === undefined ? undefined : Decimal.parse(N);
    case 'whole':
      return N !== undefined && Number.isSafeInteger(Number(N)) ? Number(N) : undefined;
    case 'none':
      return undefined;
  }
}

/** Returns the value of an attribute in the form of another version; undefined if it has a third form. */
export function fromOtherForm(
  { read }: Pick<EarlierForm, 'read'>,
  { S, N, BOOL }: AttributeValue,
  schema: number,
): JsonValue | undefined {
  const stored = S ?? BOOL ?? (N === undefined ? undefined : Decimal.parse(N));
  try {
    return stored === undefined ? undefined : read(stored, schema);
  } catch {
    // If the description cannot read a form, only this item is unreadable.
    return undefined;
  }
}

/**
 * True if a declared value has an attribute of its own. A field of several types has one only for a text, because the
 * previous release reads all its other values from the JSON text. If a value has another type than its field, a client
 * set it before the property was declared. Such a value stays in the JSON text.
 */
export function hasOwnAttribute(form: FieldKind['attribute'], value: JsonValue): boolean {
  switch (form) {
    case 'text':
      return typeof value === 'string';
    case 'json':
      return typeof value === 'object' && !(value instanceof Decimal);
    case 'boolean':
      return typeof value === 'boolean';
    case 'decimal':
      return typeof value === 'number' || value instanceof Decimal;
    case 'whole':
      return Number.isSafeInteger(value);
    case 'none':
      return false;
  }
}
