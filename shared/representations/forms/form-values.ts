import type { Fault } from '../../http/problem.ts';
import { formatPointer } from '../../json/pointer.ts';
import { emptyObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import {
  type Description,
  type Field,
  isServerField,
  OPEN_NAME,
} from '../../resource/description/description.ts';
import { kindOf } from '../../resource/kinds/kinds.ts';
import { type FormFields, isBookkeeping } from './inputs.ts';

/** The content of a form for an item: values, properties to remove, and faulty inputs. */
export interface FormValues {
  readonly values: JsonObject;
  readonly removed: readonly string[];
  readonly faults: readonly Fault[];
}

/**
 * Converts the inputs of a form to the values of an item. A form sends text only, so the kind of each field
 * converts it. Other text stays text, and the validator refuses it. An empty input
 * removes its property. An undeclared input that is repeated is an array. The validator does not see the names of
 * empty inputs.
 *
 * Source: HTML Living Standard §4.10.22.4 (line breaks are sent as CR LF); Specification 6.1, 6.2.
 */
export function formValues(fields: FormFields, description: Description): FormValues {
  const values = emptyObject();
  const removed: string[] = [];
  const faults: Fault[] = [];
  for (const [name, sent] of fields) {
    if (isBookkeeping(name)) continue;
    const texts = sent.map((text) => text.replaceAll('\r\n', '\n'));
    const [first = ''] = texts;
    const field = Object.hasOwn(description.fields, name) ? description.fields[name] : undefined;
    // Each ticked box of an array is a line. The form has an empty one in addition.
    const isArray = field?.kind === 'array';
    const text = isArray ? texts.filter((one) => one !== '').join('\n') : first;
    const isDeclared = field !== undefined || isServerField(description, name);
    if (texts.length > 1 && isDeclared && !isArray)
      faults.push({ pointer: formatPointer([name]), detail: 'must be given once' });
    else if (texts.length > 1 && !isArray) values[name] = texts;
    else if (text === '' && !isDeclared && description.open && !OPEN_NAME.test(name))
      faults.push({ pointer: formatPointer([name]), detail: 'is not a valid name for a property' });
    else if (text === '') removed.push(name);
    else values[name] = valueOfInput(text, field);
  }
  return { values, removed: removed.filter((name) => !isServerField(description, name)), faults };
}

/** The value of an input: the value of the declared property that the text means. */
function valueOfInput(text: string, field: Field | undefined): JsonValue {
  if (!field) return text;
  const kind = kindOf(field);
  return kind.ofForm?.(text, field) ?? kind.ofText(text, field);
}
