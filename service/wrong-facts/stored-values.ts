import { UsesClock } from '../../api/today.ts';
import { Decimal } from '../../shared/json/decimal.ts';
import type { JsonObject, JsonValue } from '../../shared/json/value.ts';
import type { Description, Field } from '../../shared/resource/description/description.ts';
import { choicesOf } from '../../shared/resource/description/field-types.ts';

/** Returns a value of a field for a trial of code that computes from it; undefined for a kind that has no simple one. */
function sampleOf(field: Field, at: number): JsonValue | undefined {
  switch (field.kind) {
    case 'text':
      return choicesOf(field)?.at(-at) ?? 'a'.repeat(at);
    case 'boolean':
      return at === 1;
    case 'integer':
    case 'timestamp':
      return at;
    case 'decimal':
      return Decimal.from(at);
    case 'date':
      return `${1970 + 100 * at}-01-01`;
    case 'dateTime':
      return `${1970 + 100 * at}-01-01T00:00:00.000Z`;
    default:
      return undefined;
  }
}

/** Returns the faults of values that an item stores: code that computes one from the day. */
export const wrongStoredValues = (description: Description): string[] =>
  description.plan.computed.flatMap(([, of]) => clockIn(description, of));

/** Tries code on some values of an item. Returns the sentences of code that asks for the day. */
export function clockIn({ fields }: Description, of: (values: JsonObject) => unknown): string[] {
  const samples = [0, 1].map((at) =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]): [string, JsonValue][] => {
        const sample = sampleOf(field, at);
        return sample === undefined ? [] : [[name, sample]];
      }),
    ),
  );
  return [...new Set([{}, ...samples].flatMap((one) => faultOf(of, one)))];
}

/** Any other error is one of values that no rule has judged. */
function faultOf(of: (values: JsonObject) => unknown, values: JsonObject): string[] {
  try {
    of(values);
    return [];
  } catch (error) {
    return error instanceof UsesClock ? [error.message] : [];
  }
}
