import { lazily } from '../../on-demand.ts';
import { isServerField } from '../../resource/description/description.ts';
import { type Document, JSON_COLUMN, type PlainRepresentation, type Reader } from '../representation.ts';

/** Server properties that follow the declared ones. */
const TIMES = ['createdAt', 'updatedAt'];

type Members = Readonly<Record<string, unknown>>;

/**
 * The columns of a page: the identifier, the declared properties in their order, the times, then the other properties
 * that an item of the page has. Links have no column, unless the request selects them.
 */
function columnsOf({ description, selected, rows }: Document, items: readonly Members[]): readonly string[] {
  if (rows) return rows.names;
  const { name = 'id' } = description?.identifier ?? {};
  const declared = [...Object.keys(description?.fields ?? {}), ...TIMES];
  const columns = new Set([name, ...declared.filter((one) => !selected || selected.has(one))]);
  for (const one of selected ?? []) columns.add(one);
  for (const item of items) for (const other of Object.keys(item)) columns.add(other);
  if (!selected?.has('links')) columns.delete('links');
  return [...columns];
}

const SPECIAL = /[",\r\n]/;

/** A text as a cell. Source: RFC 4180 §2. */
const quoted = (text: string): string => (SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A value as text: texts unchanged, numbers with all digits, nested values as JSON text. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** True if a column of these values says by its name that its cells are JSON: an empty cell or a text would be another value. */
function isJsonColumn({ description }: Document, name: string, items: readonly Members[]): boolean {
  const { fields = {} } = description ?? {};
  const isDescribed = Object.hasOwn(fields, name)
    ? fields[name]?.kind !== 'any'
    : !description || isServerField(description, name);
  return !isDescribed && items.some((item) => Object.hasOwn(item, name) && !isText(item[name]));
}

const isText = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && value !== '');

/** The first characters by which a spreadsheet takes a text for a formula. Source: OWASP, "CSV Injection". */
const FORMULA = /^[=+\-@\t\r\n]/;

/** A text that no spreadsheet takes for a formula. Other values have none. */
const withoutFormula = (value: unknown): unknown =>
  typeof value === 'string' && FORMULA.test(value) ? `'${value}` : value;

function write(document: Document, shown = (value: unknown): unknown => value): string {
  const { items } = document.rows ?? (document.members as { items: readonly Members[] });
  const columns = columnsOf(document, items).map((name) => {
    const isJson = isJsonColumn(document, name, items);
    const cellOf = isJson ? JSON.stringify : (value: unknown) => textOf(shown(value));
    return { name, title: isJson ? name + JSON_COLUMN : name, cellOf };
  });
  const rows = items.map((item) =>
    columns.map(({ name, cellOf }) => (Object.hasOwn(item, name) ? (cellOf(item[name]) ?? '') : '')),
  );
  return [columns.map(({ title }) => title), ...rows]
    .map((cells) => `${cells.map(quoted).join(',')}\r\n`)
    .join('');
}

/**
 * Comma-separated values with a header row, for lists. The service can read them back. Source: RFC 4180; Specification
 * 2.53.
 */
export const csv: PlainRepresentation & Reader = {
  mediaType: 'text/csv',
  mediaTypes: ['text/csv'],
  contentType: 'text/csv; charset=utf-8; header=present',
  suffix: 'csv',
  explicit: true,
  write: (document) => write(document),
  read: lazily(() => import('./csv-reader.ts'), ['readCsv']).readCsv,
};

/** CSV for a spreadsheet: it runs no cell as a formula. Source: Specification 2.53. */
export const safeCsv: PlainRepresentation = {
  ...csv,
  mediaType: `${csv.mediaType}; safe=true`,
  contentType: `${csv.contentType}; safe=true`,
  suffix: 'safecsv',
  write: (document) => write(document, withoutFormula),
};
