import type { Fault } from '../../http/problem.ts';
import { parseJson } from '../../json/parse.ts';
import { decodeUtf8 } from '../../json/utf8.ts';
import { emptyObject, type JsonValue, setMember } from '../../json/value.ts';
import { isShownBinary } from '../../resource/binary.ts';
import type { Description } from '../../resource/description/description.ts';
import { typed } from '../forms/form-values.ts';
import type { ReadDocument } from '../representation.ts';

/** A row with the number of its first line. */
interface Row {
  readonly cells: readonly string[];
  readonly line: number;
}

/** The text breaks the syntax at a line. */
class Unreadable extends Error {}

const unreadable = (line: number, why: string): Unreadable => new Unreadable(`Line ${line}: ${why}`);

/**
 * Reads a list of items from CSV with a header row. Cells of declared numbers become numbers, all others texts. An
 * empty cell leaves its property out. Lines end with LF or CR LF, and empty lines have no effect.
 *
 * Source: RFC 4180 §2; Specification 2.53.
 */
export function readCsv(bytes: Uint8Array, description: Description): ReadDocument {
  const text = decodeUtf8(bytes);
  if (text === undefined) return { fault: { detail: 'The body is not UTF-8', pointer: '' } };
  try {
    const [header, ...rows] = rowsOf(text);
    if (!header) return { fault: { detail: 'The body has no header row', pointer: '' } };
    const fault = headerFault(header) ?? lengthFault(header, rows);
    return fault ? { fault } : { value: rows.map((row) => itemOf(header, row, description)) };
  } catch (error) {
    if (error instanceof Unreadable) return { fault: { detail: error.message, pointer: '' } };
    throw error;
  }
}

function headerFault({ cells, line }: Row): Fault | undefined {
  const seen = new Set<string>();
  for (const name of cells) {
    const why = name === '' ? 'a column has no name' : seen.has(name) && `the column ${name} occurs twice`;
    if (why) return { detail: `Line ${line}: ${why}`, pointer: '' };
    seen.add(name);
  }
  return undefined;
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
  return typed(name, text, description);
}

/** The rows of a text. @throws Unreadable */
function rowsOf(text: string): Row[] {
  const rows: Row[] = [];
  let cells: string[] = [];
  let line = 1;
  let first = 1;
  let at = 0;
  while (at < text.length || cells.length > 0) {
    const isQuoted = text[at] === '"';
    const end = isQuoted ? quotedEnd(text, at, line) : plainEnd(text, at);
    const raw = text.slice(at, end);
    if (!isQuoted && raw.includes('"'))
      throw unreadable(line, 'a quote is inside a cell: put the whole cell in quotes, and double each quote');
    cells.push(isQuoted ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (isQuoted) line += raw.split('\n').length - 1;
    at = end;
    if (text[at] === ',') {
      at += 1;
      continue;
    }
    if (text[at] === '\r') at += 1;
    if (at < text.length && text[at] !== '\n')
      throw unreadable(line, 'a comma or the end of the line must follow a quoted cell');
    at += 1;
    line += 1;
    if (cells.length > 1 || isQuoted || raw !== '') rows.push({ cells, line: first });
    cells = [];
    first = line;
  }
  return rows;
}

/** The index after the closing quote of the cell that begins at `start`. */
function quotedEnd(text: string, start: number, line: number): number {
  let at = start + 1;
  while (true) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw unreadable(line, 'a quoted cell has no end');
    if (text[quote + 1] !== '"') return quote + 1;
    at = quote + 2;
  }
}

/** The index after a cell without quotes. A carriage return before the end of the line is not a part of it. */
function plainEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== ',' && text[at] !== '\n') at += 1;
  return text[at] !== ',' && at > start && text[at - 1] === '\r' ? at - 1 : at;
}
