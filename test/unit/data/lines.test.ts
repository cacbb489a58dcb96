import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Located, readLines } from '../../../tools/data/exported-rows.ts';
import { lineOf, readLine } from '../../../tools/data/lines.ts';
import { anyText } from '../../support/any-text.ts';

async function linesFrom(path: string, from: number): Promise<Located[]> {
  const lines: Located[] = [];
  for await (const one of readLines(path, from)) lines.push(one);
  return lines;
}

const attribute = fc.oneof(
  anyText().map((S) => ({ S })),
  fc.integer().map((value) => ({ N: String(value) })),
  fc.uint8Array().map((B) => ({ B })),
  fc.boolean().map((BOOL) => ({ BOOL })),
);
const object = fc.record({
  key: fc.string(),
  file: fc.constant(`bytes/ab/${'0'.repeat(62)}`),
  mediaType: fc.string(),
  size: fc.nat(),
  sha256: fc.base64String(),
});
// Attributes of this service have no quotes in their names. JSON.parse of Node 24 (V8 13.6) sometimes takes such a name,
// written with an escape, for a backslash.
const name = fc.string().filter((text) => !/["\\]/.test(text));
const line = fc.record({ item: fc.dictionary(name, attribute), objects: fc.array(object) });

describe('a line of an export', () => {
  test('can have an attribute __proto__', () => {
    const text = '{"Item":{"__proto__":{"S":"a"}}}';
    expect(lineOf(readLine(text, 'line 1'))).toBe(text);
  });

  test('has the item and the objects that it was written from', () => {
    fc.assert(
      fc.property(line, (one) => {
        const read = readLine(lineOf(one), 'line 1');
        expect(read.objects).toEqual(one.objects);
        expect(new Map(Object.entries(read.item))).toEqual(new Map(Object.entries(one.item)));
      }),
    );
  });

  test('can be one of an export that DynamoDB wrote', () => {
    const text = '{"Item":{"id":{"N":"7"},"name":{"S":"Mug"},"_by_name":{"B":"AQI="}}}';
    expect(readLine(text, 'line 1')).toEqual({
      item: { id: { N: '7' }, name: { S: 'Mug' }, _by_name: { B: Uint8Array.of(1, 2) } },
      objects: [],
    });
  });

  test.each([
    ['{"Item":', 'is not JSON'],
    ['[]', 'has no member Item'],
    ['{"Item":{"a":{"L":[]}}}', 'has an attribute a that is neither S, N, B, BOOL nor M'],
    ['{"Item":{"a":"b"}}', 'has an attribute a that is neither S, N, B, BOOL nor M'],
    ['{"Item":{},"objects":[{"key":"a"}]}', 'has objects without'],
    [
      '{"Item":{},"objects":[{"key":"a","file":"../../etc/passwd","mediaType":"","size":1,"sha256":""}]}',
      'has objects without',
    ],
  ])('%s is refused with its place', (text, detail) => {
    expect(() => readLine(text, 'members.jsonl, line 7,')).toThrow(`members.jsonl, line 7, ${detail}`);
  });
});

describe('the lines of a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'resource-api-lines-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  test('end at line feeds alone, and can be read from the end of any of them', async () => {
    const texts = fc.array(anyText().map((text) => text.replaceAll('\n', '').toWellFormed()));
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(), async (all, from) => {
        const path = join(directory, 'lines');
        writeFileSync(path, all.map((text) => `${text}\n`).join(''));
        const whole = await linesFrom(path, 0);
        expect(whole.map(({ text }) => text)).toEqual(all);
        const at = from % (whole.length + 1);
        const rest = await linesFrom(path, whole[at - 1]?.end ?? 0);
        expect(rest).toEqual(whole.slice(at));
      }),
    );
  });
});
