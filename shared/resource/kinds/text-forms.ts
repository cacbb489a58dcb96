/** The forms that a field can require of its texts. */
export type Form = 'email' | 'url' | 'date' | 'dateTime';

/** The texts that `<input type=email>` accepts. Source: HTML Living Standard §4.10.5.1.5. */
export const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** An address of the web without credentials, so a page can show it as a link. Source: RFC 3986 §3; RFC 9110 §4.2. */
export const URL_FORM =
  /^https?:\/\/(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:[/?#][^\u0000-\u0020<>"{}|\\^`]*)?$/;

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d{4}-\d\d-\d\d)[Tt]((?:[01]\d|2[0-3]):\d\d:\d\d)(?:\.(\d{1,12}))?([Zz]|[+-]\d\d:\d\d)$/;

/** True if a text is a date of the calendar. Source: RFC 3339 §5.6, full-date, and §5.7. */
export function isDate(text: string): boolean {
  const ms = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Some dates, such as 30 February, count as a later one.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/**
 * A time as text in UTC with three decimals of a second; undefined if it is malformed or its year in UTC has not four
 * digits. Smaller parts of a second do not count. Source: RFC 3339 §5.6, date-time.
 */
export function instantOf(text: string): string | undefined {
  const [, date = '', time, fraction = '', zone = ''] = TIME.exec(text) ?? [];
  if (!isDate(date)) return undefined;
  const ms = Date.parse(`${date}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}${zone.toUpperCase()}`);
  const instant = Number.isNaN(ms) ? '' : new Date(ms).toISOString();
  return instant.length === 24 ? instant : undefined;
}

const RULES: Readonly<Record<Form, { readonly holds: (text: string) => boolean; readonly fault: string }>> = {
  email: { holds: (text) => EMAIL.test(text), fault: 'must be an e-mail address' },
  url: { holds: (text) => URL_FORM.test(text), fault: 'must be a URL such as https://example.org/' },
  date: { holds: isDate, fault: 'must be a date such as 2026-11-22' },
  dateTime: {
    holds: (text) => instantOf(text) !== undefined,
    fault: 'must be a time with an offset, such as 2026-11-22T03:04:05Z',
  },
};

/** The fault of a text that has not this form; undefined for any other value. Compiled validators call this. */
export function formFault(value: unknown, form: Form): string | undefined {
  const { holds, fault } = RULES[form];
  return typeof value !== 'string' || holds(value) ? undefined : fault;
}
