import { Decimal } from '../../json/decimal.ts';
import type { FieldKind } from '../description/description.ts';
import type { DateField, DateTimeField, TimestampField } from '../description/field-types.ts';
import { ORDERED } from './operators.ts';

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const INSTANT = /^(\d{4}-\d\d-\d\d)[Tt]((?:[01]\d|2[0-3]):\d\d:\d\d)(?:\.(\d{1,12}))?([Zz]|[+-]\d\d:\d\d)$/;

/** True if a text is a date of the calendar. Source: RFC 3339 §5.6, full-date, and §5.7. */
export function isDate(text: string): boolean {
  const ms = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Some dates, such as 30 February, count as a later one.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/**
 * Returns a time as text in UTC with three decimals of a second; undefined if it is malformed or its year in UTC has
 * not four digits. Smaller parts of a second do not count. Source: RFC 3339 §5.6, date-time.
 */
export function instantOf(text: string): string | undefined {
  const [, date = '', time, fraction = '', zone = ''] = INSTANT.exec(text) ?? [];
  if (!isDate(date)) return undefined;
  const ms = Date.parse(`${date}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}${zone.toUpperCase()}`);
  const instant = Number.isNaN(ms) ? '' : new Date(ms).toISOString();
  return instant.length === 24 ? instant : undefined;
}

/** A day, such as `2026-11-22`. The text has the order of time. Source: RFC 3339 §5.6, full-date. */
export const dateKind: FieldKind<DateField> = {
  attribute: 'text',
  comparing: {
    operators: ORDERED,
    read: (text) => (isDate(text) ? { scalars: [text] } : { fault: 'must be a date such as 2026-11-22' }),
  },
  ofText: (text) => text.trim(),
  stored: (value) => value,
};

/** A time without an offset, as `<input type=datetime-local>` sends it. Source: HTML Living Standard §2.3.5.5. */
const LOCAL = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,12})?)?$/;

/**
 * A time that a client sets, such as a deadline. Its text is in UTC with three decimals of a second
 * (`2026-11-22T03:04:05.000Z`), so it has the order of time. In a filter, a date is its start in UTC. In a form, a time
 * without an offset is in UTC: the input of a browser has none.
 *
 * Source: RFC 3339 §5.6, date-time.
 */
export const dateTimeKind: FieldKind<DateTimeField> = {
  attribute: 'text',
  comparing: {
    operators: ORDERED,
    read(text) {
      const instant = instantOf(isDate(text) ? `${text}T00:00:00Z` : text.replace(' ', '+'));
      return instant === undefined
        ? { fault: 'must be a time of RFC 3339, or a date' }
        : { scalars: [instant] };
    },
  },
  ofText: (text) => text.trim(),
  ofForm: (text) => text.trim().replace(LOCAL, (_, day, time, rest = ':00') => `${day}T${time}${rest}Z`),
  stored: (value) => (typeof value === 'string' ? (instantOf(value) ?? value) : value),
};

const TIME =
  /^(\d{4}-\d\d-\d\d)(?:[Tt]((?:[01]\d|2[0-3]):\d\d:\d\d)(?:\.(\d{1,12}))?([Zz]|[+ -]\d\d:\d\d))?$/;

/**
 * Returns a time in ms since the epoch, exact also below 1 ms; undefined if it is malformed. A date is its start in
 * UTC. A `+` arrives as a space. Source: RFC 3339 §5.6; Specification 4.11.
 */
function timeIn(text: string): Decimal | undefined {
  const [, date = '', time = '00:00:00', fraction = '', zone = 'Z'] = TIME.exec(text) ?? [];
  const ms = Date.parse(`${date}T${time}${zone.toUpperCase().replace(' ', '+')}`);
  if (!isDate(date) || Number.isNaN(ms)) return undefined;
  return Decimal.from(ms).plus(Decimal.parse(`0.${fraction || 0}`)?.times(1000) as Decimal);
}

/** A time that the service sets, in ms since the epoch. */
export const timestampKind: FieldKind<TimestampField> = {
  attribute: 'whole',
  comparing: {
    operators: ORDERED,
    read(text) {
      const time = timeIn(text);
      return time ? { scalars: [time.canonical()] } : { fault: 'must be a time of RFC 3339, or a date' };
    },
  },
  ofText: (text) => text,
  stored: (value) => value,
};
