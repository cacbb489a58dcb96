import { Decimal } from '../json/decimal.ts';
import { formatPointer } from '../json/pointer.ts';
import { isBookkeeping } from '../representations/forms/form.ts';
import type { Document, Form, Place } from '../representations/representation.ts';
import { isShownBinary, type ShownBinary } from '../resource/binary.ts';
import { type Description, isServerField } from '../resource/description/description.ts';
import type { Field } from '../resource/description/fields.ts';
import { labelOf } from './markup.ts';

/** One input of a form. */
export interface Input {
  readonly id: string;
  readonly name: string;
  readonly pointer: string;
  readonly label: string;
  readonly value: string;
  /** The current value of the item, if it differs from the one in a stale form. */
  readonly stored?: string;
  readonly type: 'text' | 'email' | 'file';
  /** The media types that a file input offers. */
  readonly accept?: string;
  /** The bytes that a file input replaces. */
  readonly bytes?: ShownBinary;
  readonly mode?: 'numeric' | 'decimal';
  readonly choices?: readonly string[];
  readonly required: boolean;
  readonly hint?: string;
  /** The messages about this input. */
  readonly errors: readonly string[];
}

/**
 * The inputs of an item's form: one for each field that a client may set, then one for each undeclared text. An
 * input shows the submitted value, otherwise the value of the item, otherwise the one in the query
 * (`/orders/new?customerId=7`).
 */
export function inputs({ members, description: described, form }: Document, place: Place): Input[] {
  const description = described as Description;
  const { kind, sent, refused, isStale } = form as Form;
  const initial = (name: string, field: Field | undefined, at: number): string => {
    const typed = sent?.get(name)?.[at];
    if (typed !== undefined) return typed;
    if (sent && kind === 'new') return '';
    if (kind === 'edit') return textOf(members[name]);
    const fallback = field?.kind === 'integer' && field.default !== undefined ? String(field.default) : '';
    return place.query.get(name)?.[0] ?? fallback;
  };
  // The service refused the edit before it read the item. The form leaves out the unknown inputs, so that their
  // properties stay unchanged.
  const unread = kind === 'edit' && members.links === undefined;
  const declared = Object.entries(description.fields).filter(
    ([name, field]) =>
      !field.server && (sent?.has(name) || !(unread || (field.kind === 'any' && isFixed(members[name])))),
  );
  const texts = Object.keys(members).filter((name) => typeof members[name] === 'string');
  const typed = [...(sent?.keys() ?? [])].filter((name) => !isBookkeeping(name));
  const binaries = Object.keys(members).filter((name) => isShownBinary(members[name], name));
  const own = [...new Set([...texts, ...binaries, ...typed])].filter(
    (name) => !isServerField(description, name) && !Object.hasOwn(description.fields, name),
  );
  // An undeclared input that the form sent several times has several values.
  const repeated = own.flatMap((name) =>
    (sent?.get(name) ?? ['']).map((_, at): [string, undefined, number] => [name, undefined, at]),
  );
  const all: [string, Field | undefined, number?][] = [...declared, ...repeated];
  return all.map(([name, field, at = 0]) => {
    const pointer = formatPointer([name]);
    const errors = (refused?.errors ?? []).filter((error) => error.pointer === pointer);
    const present = members[name];
    const bytes = isShownBinary(present, name) ? present : undefined;
    const isFile = field?.kind === 'binary' || bytes !== undefined;
    const value = isFile ? '' : initial(name, field, at);
    const stored = isFile ? '' : textOf(present);
    return {
      id: at === 0 ? `input-${name}` : `input-${name}-${at + 1}`,
      name,
      pointer,
      label: labelOf(description, name),
      value,
      ...(isStale && stored !== value ? { stored } : {}),
      required: description.required.includes(name),
      errors: errors.map(({ detail }) => detail),
      ...(isFile ? fileLooks(field, bytes) : looks(field)),
    };
  });
}

/** Whether a form cannot carry a value of any type, because it is no text. */
export const isFixed = (value: unknown): boolean => value !== undefined && typeof value !== 'string';

/** A file input. A browser cannot fill it in again after a refusal. */
const fileLooks = (
  field: Field | undefined,
  bytes: ShownBinary | undefined,
): Pick<Input, 'type' | 'accept' | 'bytes' | 'hint'> => ({
  type: 'file',
  ...(field?.kind === 'binary' ? { accept: field.accepts } : {}),
  ...(bytes ? { bytes } : {}),
  hint: bytes ? 'At most 4 MiB. Leave it out to keep the present file.' : 'At most 4 MiB',
});

/** Numbers have text inputs, because browsers lose digits with `type=number`. */
function looks(field: Field | undefined): Pick<Input, 'type' | 'mode' | 'choices' | 'hint'> {
  switch (field?.kind) {
    case 'integer':
      return { type: 'text', mode: 'numeric', hint: `A whole number from ${field.minimum}` };
    case 'decimal':
      return { type: 'text', mode: 'decimal', hint: `A number from ${field.minimum}, such as 14.50` };
    case 'text':
      return { type: field.format ?? 'text', choices: field.choices };
    default:
      return { type: 'text' };
  }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return value instanceof Decimal ? value.canonical().text : String(value);
}
