import { createReadStream } from 'node:fs';
import { descriptionOf, type Resource } from '../../shared/resource/resource.ts';
import type { Attributes } from '../../shared/store/form/attribute-value.ts';
import { CREATED, UPDATED, VERSION } from '../../shared/store/form/table.ts';
import { VERSIONS_TABLE } from '../../shared/store/history/versions-table.ts';
import { isItem } from '../../shared/store/items/read-items.ts';
import { UserError } from '../user-error.ts';
import { type Line, readLine } from './lines.ts';

/** Reads the items, or the earlier versions of items, in a file of an export, also in one of DynamoDB itself. */

/** Says what a row is: one to read, one of another kind that belongs to the table, or no row of the table. */
export type Judge = (row: Attributes) => 'wanted' | 'other' | 'wrong';

/** Judges the rows of the table of a resource. The inventory of the table and the rows of constraints are other rows. */
export function itemsOf(resource: Resource): Judge {
  const { name, kind } = descriptionOf(resource).identifier;
  return (row) => {
    if (!isItem(row)) return 'other';
    const id = row[name];
    const hasId = kind === 'integer' ? /^[1-9]\d{0,15}$/.test(id?.N ?? '') : id?.S !== undefined;
    // An item of the first release has no version.
    const hasFacts = [row[VERSION] ?? { N: '1' }, row[CREATED], row[UPDATED]].every(isCount);
    return hasId && hasFacts ? 'wanted' : 'wrong';
  };
}

/** Judges the rows of the table of versions. It has those of all resources. */
export const versionsOfItems =
  ({ name }: Resource): Judge =>
  (row) => {
    const path = row[VERSIONS_TABLE.key]?.S;
    if (path === undefined || !isCount(row[VERSIONS_TABLE.sort]) || !row.image?.M) return 'wrong';
    return path.startsWith(`/${name}/`) ? 'wanted' : 'other';
  };

const isCount = (value: Attributes[string] | undefined): boolean => /^\d{1,15}$/.test(value?.N ?? '');

/** A line of a file. `line`: undefined if it has nothing to read. `end`: the position (bytes) after it. */
export interface Row {
  readonly line: Line | undefined;
  readonly end: number;
}

/**
 * Yields the lines of a file from a position (bytes) on. `before`: the number of the lines before it. A BOM belongs to no
 * line, and an empty line or one with a row of another kind has nothing to read.
 *
 * @throws UserError if a line is not from an export of the table
 */
export async function* exportedRows(
  file: string,
  judge: Judge,
  { position, before }: { readonly position: number; readonly before: number },
): AsyncGenerator<Row> {
  let number = before;
  for await (const { text, end } of readLines(file, position)) {
    number += 1;
    const place = `${file}, line ${number},`;
    const json = text.replace(/^\uFEFF/, '').trim();
    const line = json === '' ? undefined : readLine(json, place);
    const kind = line ? judge(line.item) : 'other';
    if (kind === 'wrong')
      throw new UserError(`${place} has no item of this resource: name the file by its table`);
    yield { line: kind === 'wanted' ? line : undefined, end };
  }
}

const LINE_FEED = 10;

/** A line of a file without its line feed, and the position (bytes) after the line feed. */
export interface Located {
  readonly text: string;
  readonly end: number;
}

/** Yields the lines of a file in UTF-8 from a position (bytes) on. Only LF ends a line: JSON contains other ends. */
export async function* readLines(path: string, from: number): AsyncGenerator<Located> {
  let rest = Buffer.alloc(0);
  let end = from;
  for await (const chunk of createReadStream(path, { start: from })) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    let begin = 0;
    for (let at = rest.indexOf(LINE_FEED); at >= 0; at = rest.indexOf(LINE_FEED, begin)) {
      end += at + 1 - begin;
      yield { text: rest.toString('utf8', begin, at), end };
      begin = at + 1;
    }
    rest = rest.subarray(begin);
  }
  if (rest.length > 0) yield { text: rest.toString('utf8'), end: end + rest.length };
}
