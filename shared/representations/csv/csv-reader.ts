import { CsvError, parse } from 'csv-parse/sync';
import type { Fault } from '../../http/problem.ts';
import { decodeUtf8, parseJson } from '../../json/parse.ts';
import { emptyObject, type JsonValue, setMember } from '../../json/value.ts';
import { isShownBinary } from '../../resource/binary.ts';
import type { Description } from '../../resource/description/description.ts';
import { declaredSpellingOf, otherSpelling } from '../../resource/description/misspelt-names.ts';
import { kindOf } from '../../resource/kinds/kinds.ts';
import { JSON_COLUMN, type ReadDocument, type Sending, type SentListName } from '../representation.ts';

/** A row with the number of its first line. */
interface Row {
  readonly cells: readonly string[];
  readonly line: number;
}

/** A column: the property, and whether its cells are JSON. */
interface Column {
  readonly name: string;
  readonly isJson: boolean;
}

/** The text breaks the syntax, or a rule of its columns, at a line. */
class Unreadable extends Error {
  constructor(line: number, why: string) {
    super(`Line ${line}: ${why}`);
  }
}

/**
 * Reads a list of items from CSV with a header row. Cells of declared numbers become numbers, cells of a column such as
 * `tags:json` their JSON, and all others texts. An empty cell leaves its property out. Rows and last columns without a
 * text have no effect. Lines end with LF, CR LF or CR.
 *
 * Source: RFC 4180 §2; Specification 2.53, 2.55.
 */
export function readCsv(
  bytes: Uint8Array,
  description: Description,
  list?: SentListName,
  { makesCopies = true }: Partial<Sending> = {},
): ReadDocument {
  const text = decodeUtf8(bytes);
  if (text === undefined) return { fault: { detail: 'The body is not UTF-8', pointer: '' } };
  try {
    const [header, ...rows] = rowsOf(text);
    if (!header)
      return { fault: { detail: 'The row with the names of the properties is missing', pointer: '' } };
    const { columns, fault } = columnsOf(header, rows, description, list?.name ?? description.singular);
    if (fault) return { fault };
    const identifier = columns.findIndex(({ name }) => name === description.identifier.name);
    if (!makesCopies && rows.some(({ cells }) => cells[identifier])) {
      const { name } = description.identifier;
      throw new Unreadable(header.line, `remove the column ${name}: POST makes new items`);
    }
    return { value: rows.map((row) => itemOf(columns, row, description)) };
  } catch (error) {
    if (error instanceof Unreadable) return { fault: { detail: error.message, pointer: '' } };
    throw error;
  }
}

/** Returns the number of the first line of each item; undefined if the text is not CSV. */
export function itemLines(bytes: Uint8Array): number[] | undefined {
  try {
    const [, ...rows] = rowsOf(decodeUtf8(bytes) ?? '');
    return rows.map(({ line }) => line);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** Returns the columns of the header, and the fault of a row with another number of cells. @throws Unreadable */
function columnsOf(
  { cells, line }: Row,
  rows: readonly Row[],
  description: Description,
  of: string,
): { readonly columns: readonly Column[]; readonly fault?: Fault } {
  const names = cells.map((cell) => cell.trim());
  const [only = '', ...others] = names;
  if (others.length === 0) {
    for (const [separator, called] of [
      [';', 'semicolons'],
      ['\t', 'tabs'],
    ] as const)
      if (only.includes(separator)) throw new Unreadable(line, `separate cells by commas, not by ${called}`);
  }
  // A spreadsheet also writes last columns that a person has emptied.
  const width = names.findLastIndex((name) => name !== '') + 1;
  const isRagged = ({ cells: own }: Row) =>
    own.length < width || own.slice(width).some((cell) => cell !== '');
  const at = rows.findIndex(isRagged);
  const isNameless = names.length > width && at >= 0 && (rows[at] as Row).cells.length <= names.length;
  const columns: Column[] = [];
  for (const written of names.slice(0, isNameless ? undefined : width)) {
    const isJson = written.endsWith(JSON_COLUMN);
    const name = isJson ? written.slice(0, -JSON_COLUMN.length) : written;
    const why = columns.some((one) => one.name === name)
      ? `the column ${name} occurs twice`
      : faultOfName(name, description, of);
    if (why) throw new Unreadable(line, why);
    columns.push({ name, isJson });
  }
  const ragged = rows[at];
  if (!ragged) return { columns };
  const detail = `Line ${ragged.line}: the row has ${ragged.cells.length} cells, and the header has ${names.length}`;
  return { columns, fault: { detail, pointer: `/${at}` } };
}

/** Returns what is wrong with the name of a column; undefined for a right one. `of`: the name of the resource. */
function faultOfName(name: string, description: Description, of: string): string | undefined {
  if (name === '') return 'a column has no name';
  const meant = declaredSpellingOf(description, name);
  if (meant) return `${name} ${otherSpelling(of, meant)}`;
  const { fields, open, plan } = description;
  if (open || Object.hasOwn(fields, name) || plan.server.has(name)) return undefined;
  const known = Object.keys(fields).filter((one) => !plan.server.has(one));
  return `there is no column ${name}; the columns are ${known.join(', ')}`;
}

/** @throws Unreadable if a cell has no value that its column can have */
function itemOf(columns: readonly Column[], { cells, line }: Row, description: Description): JsonValue {
  const item = emptyObject();
  for (const [at, column] of columns.entries()) {
    const text = cells[at] ?? '';
    if (text !== '') setMember(item, column.name, cellValue(column, text, { line, description }));
  }
  return item;
}

/** The number of a spreadsheet that has shortened it to an exponent, as `3.1E+11`. */
const SHORTENED = /^\s*[+-]?\d[\d.]*[eE]\+?\d+\s*$/;

/** A time of a day without an offset. */
const WITHOUT_OFFSET = /^\s*\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,12})?)?\s*$/;

/** Returns the value of a cell. The object that lists show for a binary property is an object. Source: Specification 2.24. */
function cellValue(
  { name, isJson }: Column,
  text: string,
  { line, description }: { readonly line: number; readonly description: Description },
): JsonValue {
  if (isJson) {
    const parsed = parseJson(text);
    if ('value' in parsed) return parsed.value;
    throw new Unreadable(line, `the cell of ${name}${JSON_COLUMN} is not JSON: ${parsed.fault}`);
  }
  const parsed = text.startsWith('{"href":') ? parseJson(text) : undefined;
  if (parsed && 'value' in parsed && isShownBinary(parsed.value, name)) return parsed.value;
  const { fields } = description;
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field) return text;
  if (field.kind === 'integer' && SHORTENED.test(text))
    throw new Unreadable(line, `${name} is ${text.trim()}: a spreadsheet has shortened the number`);
  if (field.kind === 'dateTime' && WITHOUT_OFFSET.test(text))
    throw new Unreadable(line, `${name} has a time without an offset: write Z or +02:00 after it`);
  return kindOf(field).ofText(text, field);
}

/**
 * The rows of a text that have a cell with a text. csv-parse counts a carriage return inside a cell as a line of its own.
 * @throws Unreadable
 */
function rowsOf(whole: string): Row[] {
  // Excel's first line names the separator. An old editor ends a file with Ctrl-Z.
  const text = whole.replace(/^sep=,(?=[\r\n])/i, '').replace(/\x1a$/, '');
  const [end] = /\r\n|\r|\n/.exec(text) ?? [];
  const rows: Row[] = [];
  let returns = 0;
  try {
    parse(text, {
      record_delimiter: end === '\r' ? ['\r'] : ['\r\n', '\n'],
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { lines }) => {
        returns += countOf('\r', cells);
        if (cells.some((cell) => cell.trim() !== ''))
          rows.push({ cells, line: lines - returns - countOf('\n', cells) });
        return null;
      },
    });
  } catch (error) {
    if (error instanceof CsvError) throw new Unreadable(Number(error.lines) - returns, reasonOf(error));
    throw error;
  }
  return rows;
}

const countOf = (character: string, cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + cell.split(character).length - 1, 0);

function reasonOf({ code, message }: CsvError): string {
  if (code === 'INVALID_OPENING_QUOTE')
    return 'a quote is inside a cell: put the whole cell in quotes, and double each quote';
  if (code === 'CSV_INVALID_CLOSING_QUOTE') return 'a comma or the end of the line must follow a quoted cell';
  return code === 'CSV_QUOTE_NOT_CLOSED' ? 'a quoted cell has no end' : message;
}
