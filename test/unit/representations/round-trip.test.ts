import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJson } from '../../../shared/json/parse.ts';
import type { JsonObject, JsonValue } from '../../../shared/json/value.ts';
import { csv } from '../../../shared/representations/csv/csv.ts';
import { readCsv } from '../../../shared/representations/csv/csv-reader.ts';
import { jsonl } from '../../../shared/representations/json.ts';
import type { ReadContent } from '../../../shared/representations/representation.ts';
import { xml } from '../../../shared/representations/xml/xml.ts';
import { readXml } from '../../../shared/representations/xml/xml-reader.ts';
import type { Fields } from '../../../shared/resource/description/description.ts';
import { text } from '../../../shared/resource/description/fields.ts';
import { describe as describeItem } from '../../../shared/resource/description/plan.ts';

/* What the service writes, it reads back as the same values. Source: Specification 2.41, 2.53. */
const note = describeItem<Fields>({
  singular: 'note',
  open: true,
  fields: { title: text('Title'), extra: { kind: 'any', label: 'Extra' } },
});

const characters = fc.string({
  unit: fc.constantFrom(...'aZ09 é€😀,;:<&>"\'\\\n\r\t=+-@/~#.[]{}'),
  maxLength: 12,
});
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom('7.25', '0.1', '-0', '1e400', '123456789012345678901234567890.5'),
);
const scalar = fc.oneof(
  characters,
  fc.constantFrom('', '007', 'true', 'null', '[1]', '{"a":1}', ' a ', '"'),
  fc.boolean(),
  fc.constant(null),
);
const jsonText = fc.letrec<{ any: string; array: string; object: string }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    scalar.map((value) => JSON.stringify(value)),
    number.map(String),
    tie('array'),
    tie('object'),
  ),
  array: fc.array(tie('any'), { maxLength: 3 }).map((values) => `[${values.join(',')}]`),
  object: fc
    .dictionary(fc.oneof(fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,8}$/), characters), tie('any'), {
      maxKeys: 3,
    })
    .map(
      (members) =>
        `{${Object.entries(members)
          .map(([key, value]) => `${JSON.stringify(key)}:${value}`)
          .join(',')}}`,
    ),
})).any;

const NAMES = ['extra', 'tags', 'größe', 'item', 'items', 'a.b', '_x'];
const item = fc
  .tuple(
    fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), jsonText, { minKeys: 1 }),
  )
  .map(([, members]) => {
    const written = Object.entries(members).map(([key, value]) => `${JSON.stringify(key)}:${value}`);
    const parsed = parseJson(`{"title":"t",${written.join(',')}}`);
    if (!('value' in parsed)) throw new Error(parsed.fault);
    return parsed.value as JsonObject;
  });

/** The values with sorted names and all digits. */
const exact = (value: JsonValue): unknown => JSON.parse(JSON.stringify(value), (_, one) => one);
const digits = (value: JsonValue): string => JSON.stringify(value);

type Format = readonly [
  name: string,
  write: (items: JsonObject[]) => string,
  read: (bytes: Buffer) => ReadContent | Promise<ReadContent>,
];

const documentOf = (items: readonly JsonObject[]) =>
  ({
    kind: 'list',
    name: 'notes',
    elementName: 'note',
    description: note,
    members: { items, links: [] },
  }) as const;

const FORMATS: readonly Format[] = [
  [
    'JSON Lines',
    (items) => jsonl.write(documentOf(items)),
    (bytes) => jsonl.read(bytes, note, undefined, SENDING),
  ],
  ['XML', (items) => xml.write(documentOf(items)), (bytes) => readXml(bytes, note, { name: 'notes' })],
  ['CSV', (items) => csv.write(documentOf(items)), (bytes) => readCsv(bytes, note, { name: 'notes' })],
];
const SENDING = { contentType: '', isIgnored: false };

describe.each(FORMATS)('%s', (_, write, read) => {
  test('gives undeclared values of each JSON type back, at all depths', () =>
    fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 3 }), async (items) => {
        const document = await read(Buffer.from(write(items)));
        const value = 'value' in document ? document.value : document;
        expect(exact(value as JsonValue)).toEqual(exact(items));
        expect([...digits(value as JsonValue)].sort()).toEqual([...digits(items)].sort());
      }),
      { numRuns: 300 },
    ));
});
