import { CsvError, parse } from 'csv-parse/sync';
import type { Fault } from '../../http/problem.ts';
import { decodeUtf8, parseJson } from '../../json/parse.ts';
import { emptyObject, type JsonValue, setMember } from '../../json/value.ts';
import { isShownBinary } from '../../resource/binary.ts';
import type { Description } from '../../resource/description/description.ts';
import { declaredCaseOf, otherCase } from '../../resource/description/misspelt-names.ts';
import { valueOfText } from '../forms/form-values.ts';
import type { ReadDocument, SentListName } from '../representation.ts';

/** A row with the number of its first line. */
interface Row {
  readonly cells: readonly string[];
  readonly line: number;
}

/** The text breaks the syntax at a line. */
class Unreadable extends Error {}

/**
 * Reads a list of items from CSV with a header row. Cells of declared numbers become numbers, all others texts. An
 * empty cell leaves its property out. Lines end with LF or CR LF, and empty lines have no effect.
 *
 * Source: RFC 4180 §2; Specification 2.53.
 */
export function readCsv(bytes: Uint8Array, description: Description, list?: SentListName): ReadDocument {
  const text = decodeUtf8(bytes);
  if (text === undefined) return { fault: { detail: 'The body is not UTF-8', pointer: '' } };
  try {
    const [header, ...rows] = rowsOf(text);
    if (!header)
      return { fault: { detail: 'The row with the names of the properties is missing', pointer: '' } };
    const fault =
      headerFault(header) ?? misspelt(header, description, list?.name) ?? lengthFault(header, rows);
    return fault ? { fault } : { value: rows.map((row) => itemOf(header, row, description)) };
  } catch (error) {
    if (error instanceof Unreadable) return { fault: { detail: error.message, pointer: '' } };
    throw error;
  }
}

/** The first line of each item; undefined if the text is not CSV. */
export function itemLines(bytes: Uint8Array): number[] | undefined {
  try {
    const [, ...rows] = rowsOf(decodeUtf8(bytes) ?? '');
    return rows.map(({ line }) => line);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function headerFault({ cells, line }: Row): Fault | undefined {
  const [only = '', ...others] = cells;
  if (others.length === 0 && only.includes(';'))
    return { detail: `Line ${line}: separate cells by commas, not by semicolons`, pointer: '' };
  const seen = new Set<string>();
  for (const name of cells) {
    const why = name === '' ? 'a column has no name' : seen.has(name) && `the column ${name} occurs twice`;
    if (why) return { detail: `Line ${line}: ${why}`, pointer: '' };
    seen.add(name);
  }
  return undefined;
}

/** A column whose name differs from a declared one only in case. Source: Specification 2.54. */
function misspelt(
  { cells, line }: Row,
  description: Description,
  of = description.singular,
): Fault | undefined {
  const [fault] = cells.flatMap((name) => {
    const meant = declaredCaseOf(description, name);
    return meant ? [{ detail: `Line ${line}: ${name} ${otherCase(of, meant)}`, pointer: '' }] : [];
  });
  return fault;
}

function lengthFault(header: Row, rows: readonly Row[]): Fault | undefined {
  const wanted = header.cells.length;
  const at = rows.findIndex(({ cells }) => cells.length !== wanted);
  const row = rows[at];
  if (!row) return undefined;
  const detail = `Line ${row.line}: the row has ${row.cells.length} cells, and the header has ${wanted}`;
  return { detail, pointer: `/${at}` };
}

function itemOf({ cells: names }: Row, { cells }: Row, description: Description): JsonValue {
  const item = emptyObject();
  for (const [at, name] of names.entries()) {
    const text = cells[at] ?? '';
    if (text !== '') setMember(item, name, cellValue(name, text, description));
  }
  return item;
}

/** The value of a cell. The object that lists show for a binary property is an object. Source: Specification 2.24. */
function cellValue(name: string, text: string, description: Description): JsonValue {
  const parsed = text.startsWith('{"href":') ? parseJson(text) : undefined;
  if (parsed && 'value' in parsed && isShownBinary(parsed.value, name)) return parsed.value;
  return valueOfText(name, text, description);
}

/**
 * The rows of a text. csv-parse counts a carriage return inside a cell as a line of its own.
 * @throws Unreadable
 */
function rowsOf(text: string): Row[] {
  const rows: Row[] = [];
  let returns = 0;
  try {
    parse(text, {
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { lines }) => {
        returns += countOf('\r', cells);
        rows.push({ cells, line: lines - returns - countOf('\n', cells) });
        return null;
      },
    });
  } catch (error) {
    if (error instanceof CsvError)
      throw new Unreadable(`Line ${Number(error.lines) - returns}: ${reasonOf(error)}`);
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
