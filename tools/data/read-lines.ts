import { createReadStream } from 'node:fs';

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
