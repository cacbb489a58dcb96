import { Decimal } from '../../../json/decimal.ts';
import type { TimestampField } from '../../description/field-facts.ts';
import { type Kind, keepValue, ORDERED } from '../kind.ts';

const TIME = /^(\d{4}-\d\d-\d\d)(?:[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,12}))?([Zz]|[+ -]\d\d:\d\d))?$/;

/**
 * A time in ms since the epoch, exact also below 1 ms; undefined if it is malformed. A date is its start in UTC. A `+`
 * arrives as a space. Source: RFC 3339 §5.6; Specification 4.11.
 */
function timeIn(text: string): Decimal | undefined {
  const [, date = '', time = '00:00:00', fraction = '', zone = 'Z'] = TIME.exec(text) ?? [];
  const start = Date.parse(`${date}T00:00:00Z`);
  const ms = Date.parse(`${date}T${time}${zone.toUpperCase().replace(' ', '+')}`);
  // Some dates, such as 30 February, count as a later one.
  if (Number.isNaN(ms) || !new Date(start).toISOString().startsWith(date)) return undefined;
  return Decimal.from(ms).plus(Decimal.parse(`0.${fraction || 0}`)?.times(Decimal.from(1000)) as Decimal);
}

/** A time that the service sets, in ms since the epoch. */
export const timestampKind: Kind<TimestampField> = {
  attribute: 'whole',
  comparing: {
    operators: ORDERED,
    read(text) {
      const time = timeIn(text);
      return time ? { scalars: [time.canonical()] } : { fault: 'must be a time of RFC 3339, or a date' };
    },
  },
  ofText: keepValue,
  stored: keepValue,
};
