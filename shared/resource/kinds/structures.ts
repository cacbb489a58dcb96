import { parseJson } from '../../json/parse.ts';
import { emptyObject, isObject, type JsonObject, type JsonValue, setMember } from '../../json/value.ts';
import type { ArrayField, Field, FieldKind, StructureField } from '../description/description.ts';

/** The object or the array that a text has, as in a cell of CSV; undefined if it has none. */
function jsonIn(text: string): JsonValue | undefined {
  const parsed = /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
  return parsed && 'value' in parsed ? parsed.value : undefined;
}

/** An array of values of one kind. In a form, each line is a value. */
export const arrayOf = (kindOf: (field: Field) => FieldKind): FieldKind<ArrayField> => ({
  attribute: 'json',
  ofText: (text, { of }) =>
    jsonIn(text) ??
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => kindOf(of).ofText(line, of)),
  stored: (value: JsonValue, { of }) =>
    Array.isArray(value) ? value.map((one) => kindOf(of).stored(one, of)) : value,
});

/** A property with properties of its own. In a form, each line is a property, such as `city: Paris`. */
export function structureOf(kindOf: (field: Field) => FieldKind): FieldKind<StructureField> {
  const fieldOf = ({ fields }: StructureField, name: string): Field | undefined =>
    Object.hasOwn(fields, name) ? fields[name] : undefined;

  function ofLines(text: string, structure: StructureField): JsonValue {
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

  function stored(value: JsonObject, structure: StructureField): JsonObject {
    const object = emptyObject();
    for (const name of Object.keys(value)) {
      const [field, inner] = [fieldOf(structure, name), value[name] as JsonValue];
      if (!field && structure.open) setMember(object, name, inner);
      // As in the item itself, null counts as left out. Source: Specification 2.16.
      else if (field && inner !== null) setMember(object, name, kindOf(field).stored(inner, field));
    }
    return object;
  }

  return {
    attribute: 'json',
    ofText: (text, structure) => jsonIn(text) ?? (structure.several ? text : ofLines(text, structure)),
    stored(value, structure) {
      if (Array.isArray(value)) return value.map((one) => (isObject(one) ? stored(one, structure) : one));
      return isObject(value) ? stored(value, structure) : value;
    },
  };
}
