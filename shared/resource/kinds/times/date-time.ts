import type { DateTimeField } from '../../description/field-facts.ts';
import { type Kind, ORDERED } from '../kind.ts';
import { instantOf, isDate } from '../text-forms.ts';

/** A time without an offset, as `<input type=datetime-local>` sends it. Source: HTML Living Standard §2.3.5.5. */
const LOCAL = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,12})?)?$/;

/**
 * A time that a client sets, such as a deadline. Its text is in UTC with three decimals of a second
 * (`2026-11-22T03:04:05.000Z`), so it has the order of time. In a filter, a date is its start in UTC. In a form, in CSV
 * and in XML, a time without an offset is in UTC.
 *
 * Source: RFC 3339 §5.6, date-time.
 */
export const dateTimeKind: Kind<DateTimeField> = {
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
  ofText: (text) => text.trim().replace(LOCAL, (_, day, time, rest = ':00') => `${day}T${time}${rest}Z`),
  stored: (value) => (typeof value === 'string' ? (instantOf(value) ?? value) : value),
};
