import { Decimal } from '../../shared/json/decimal.ts';
import { formatPointer } from '../../shared/json/pointer.ts';
import { isBookkeeping } from '../../shared/representations/forms/inputs.ts';
import type { Place } from '../../shared/representations/representation.ts';
import { isShownBinary } from '../../shared/resource/binary.ts';
import { type Field, isServerField } from '../../shared/resource/description/description.ts';
import { eventOffers } from '../deliveries/event-offers.ts';
import { labelOf, requirePart } from '../markup.ts';
import { nameOfItem } from '../names/item-name.ts';
import type { PageDocument } from '../page-document.ts';
import { placeOf } from '../problem-text.ts';
import { faultInWords } from '../words.ts';
import { fileLooks, type InputLooks, looks } from './input-looks.ts';
import { meantIds } from './named-input.ts';
import { NO_OFFERS, type Offered, type Offers } from './offers.ts';

/** One input of a form. */
export interface Input extends InputLooks {
  readonly id: string;
  readonly name: string;
  readonly pointer: string;
  readonly label: string;
  readonly value: string;
  /** The current value of the item, if it differs from the one in a stale form. */
  readonly stored?: string;
  /** The items that a person can name. */
  readonly related?: RelatedInput;
  readonly required: boolean;
  /** The messages about this input. */
  readonly errors: readonly string[];
}

/** The items that a person can name in an input. */
export interface RelatedInput extends Partial<Offered> {
  readonly singular: string;
  /** The address of their list. */
  readonly list: string;
  /** The name of the item with the number in the input. */
  readonly name?: string;
  /** The name of the stored item, if it is another one. */
  readonly storedName?: string;
}

/** True if the state of an item locks the field. Its form shows the value as text. */
export const isLocked = (
  { lockedIn }: Field,
  members: PageDocument['members'],
  { resource }: Place,
): boolean => {
  const state = resource?.process && members[resource.process.field];
  return lockedIn?.some((one) => one === state) === true;
};

/**
 * Returns the inputs of an item's form: one for each field that a client may set, then one for each undeclared text. An
 * input shows the submitted value, otherwise the value of the item, otherwise the one in the query
 * (`/orders/new?customerId=7`).
 */
export function inputs(document: PageDocument, place: Place, offers: Offers = NO_OFFERS): Input[] {
  const { members } = document;
  const description = requirePart(document.description);
  const { kind, sent, refused, isStale } = requirePart(document.form);
  const initial = (name: string, field: Field | undefined, at: number): string => {
    // Browsers send each end of a line as CRLF. Source: HTML Living Standard §4.10.22.4.
    const texts = sent?.get(name);
    const typed = (field?.kind === 'array' ? texts?.filter(Boolean).join('\n') : texts?.[at])?.replaceAll(
      '\r\n',
      '\n',
    );
    if (typed !== undefined) return typed;
    if (sent && kind !== 'edit') return '';
    if (kind === 'edit') return textOf(members[name], field);
    const fallback = field && 'default' in field ? textOf(field.default, field) : '';
    return place.query.get(name)?.[0] ?? fallback;
  };
  // The service refused the edit before it read the item. The form leaves out the unknown inputs, so that their
  // properties stay unchanged.
  const unread = kind === 'edit' && members.links === undefined;
  const declared = Object.entries(description.fields).filter(
    ([name, field]) =>
      !field.server &&
      !(kind === 'edit' && (field.immutable || isLocked(field, members, place))) &&
      (sent?.has(name) || !(unread || (field.kind === 'any' && isFixed(members[name])))),
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
    // An error can be inside the value.
    const errors = (refused?.errors ?? []).filter((error) => `${error.pointer}/`.startsWith(`${pointer}/`));
    const present = members[name];
    const bytes = isShownBinary(present, name) ? present : undefined;
    const isFile = field?.kind === 'binary' || bytes !== undefined;
    const text = isFile ? '' : initial(name, field, at);
    const stored = isFile ? '' : textOf(present, field);
    const related = relatedTo(name, { text, stored }, document, place);
    const value = (related && sent && meantIds(sent, name)) ?? text;
    return {
      id: at === 0 ? `input-${name}` : `input-${name}-${at + 1}`,
      name,
      pointer,
      label: labelOf(description, name),
      value,
      ...(related ? { related: { ...related, ...offers.get(name) } } : {}),
      ...(isStale && kind !== 'action' && stored !== value ? { stored } : {}),
      required: description.required.includes(name),
      errors: errors.map((error) => {
        const inside = placeOf({ ...error, pointer: error.pointer?.slice(pointer.length) });
        return (inside && `${inside}: `) + faultInWords(error);
      }),
      ...(isFile ? fileLooks(field, bytes) : looks(field, stored)),
      ...eventOffers(name, value, place),
    };
  });
}

/** Returns the relation of an input, and the names of the items that it and the stored value lead to, if they are known. */
function relatedTo(
  name: string,
  { text, stored }: { readonly text: string; readonly stored: string },
  { expansions, form }: Pick<PageDocument, 'expansions' | 'form'>,
  { resource, basePath }: Place,
): RelatedInput | undefined {
  const relation = Object.values(form?.relations ?? resource?.relations ?? {}).find(
    ({ field }) => field === name,
  );
  if (!relation) return undefined;
  const { description } = relation.to;
  const nameOfId = (id: string): string | undefined => {
    const found = expansions?.find((one) => one.relation.field === name)?.items.get(Number(id));
    return found && nameOfItem(description, found);
  };
  const isNamed = !/^\d+$/.test(text) && form?.sent && meantIds(form.sent, name) !== undefined;
  const own = isNamed ? text : nameOfId(text);
  const storedName = nameOfId(stored);
  return {
    singular: description.singular,
    list: `${basePath}/${relation.to.name}`,
    ...(own === undefined ? {} : { name: own }),
    ...(storedName === undefined ? {} : { storedName }),
  };
}

/** True if a form cannot carry a value of any type, because it is not a text. */
export const isFixed = (value: unknown): boolean => value !== undefined && typeof value !== 'string';

/** Returns a value as an input has it. Source: HTML Living Standard §2.3.5.5, valid local date and time string. */
function textOf(value: unknown, field: Field | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean' && field?.kind === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object' && !(value instanceof Decimal)) return linesOf(value);
  if (field?.kind === 'dateTime') return String(value).replace(/(?:(?::00)?\.000)?Z$/, '');
  return value instanceof Decimal ? value.canonical().text : String(value);
}

/** Returns the lines of an array or an object; its JSON text if a value is more than a line. */
function linesOf(value: object): string {
  const isLine = (one: unknown) =>
    typeof one === 'string' ? !/[\n\r]/.test(one) : typeof one !== 'object' || one instanceof Decimal;
  if (!Object.values(value).every(isLine)) return JSON.stringify(value);
  const lines = Array.isArray(value)
    ? value.map((one) => textOf(one, undefined))
    : Object.entries(value).map(([name, one]) => `${name}: ${textOf(one, undefined)}`);
  return lines.join('\n');
}
