import type { DateField } from '../../description/field-facts.ts';
import { type Kind, ORDERED } from '../kind.ts';
import { isDate } from '../text-forms.ts';

/** A day, such as `2026-11-22`. The text has the order of time. Source: RFC 3339 §5.6, full-date. */
export const dateKind: Kind<DateField> = {
  attribute: 'text',
  comparing: {
    operators: ORDERED,
    read: (text) => (isDate(text) ? { scalars: [text] } : { fault: 'must be a date such as 2026-11-22' }),
  },
  ofText: (text) => text.trim(),
  stored: (value) => value,
};
