import type { Fault } from '../http/problem.ts';
import { Decimal } from '../json/decimal.ts';
import { formatPointer } from '../json/pointer.ts';
import { emptyObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { type Description, isServerField } from '../resource/description.ts';
import { type FormFields, isBookkeeping } from './form-fields.ts';

/** What a form says of an item: values, members to remove, and inputs that cannot be meant. */
export interface FormValues {
  readonly values: JsonObject;
  readonly removed: readonly string[];
  readonly faults: readonly Fault[];
}

/**
 * The inputs of a form as the values of an item. A form knows text alone, so that numbers are made of it here and
 * nowhere else; what is no number stays text, for the validator to refuse. An empty input removes.
 *
 * Source: HTML Living Standard §4.10.22.4 (line breaks are sent as CR LF).
 */
export function formValues(fields: FormFields, description: Description): FormValues {
  const values = emptyObject();
  const removed: string[] = [];
  const faults: Fault[] = [];
  for (const [name, sent] of fields) {
    if (isBookkeeping(name)) continue;
    const text = sent[0] as string;
    if (sent.length > 1) faults.push({ pointer: formatPointer([name]), detail: 'must be given once' });
    else if (text === '') removed.push(name);
    else values[name] = typed(name, text.replaceAll('\r\n', '\n'), description);
  }
  return { values, removed: removed.filter((name) => !isServerField(description, name)), faults };
}

function typed(name: string, text: string, { fields, identifier }: Description): JsonValue {
  const kind = Object.hasOwn(fields, name)
    ? fields[name]?.kind
    : name === identifier.name
      ? identifier.kind
      : 'text';
  return kind === 'integer' || kind === 'decimal' ? (Decimal.parse(text.trim()) ?? text) : text;
}
