import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal } from '../../../shared/json/decimal.ts';
import type { JsonObject, JsonValue } from '../../../shared/json/value.ts';
import { xml } from '../../../shared/representations/xml/xml.ts';
import { readXml } from '../../../shared/representations/xml/xml-reader.ts';
import type { Fields } from '../../../shared/resource/description/description.ts';
import { anyValue, array, object, text } from '../../../shared/resource/description/fields.ts';
import { describe as describeItem } from '../../../shared/resource/description/plan.ts';

const note = describeItem<Fields>({
  singular: 'note',
  open: true,
  fields: {
    title: text('Title'),
    anything: anyValue('Anything'),
    place: object('Place', { city: text('City'), tags: array('Tags', text('Tag')) }),
  },
});

const write = (members: JsonObject): string =>
  xml.write({ kind: 'item', name: 'note', description: note, members });
const read = (document: string, list?: { name: string; only?: boolean }) =>
  readXml(Buffer.from(document), note, list);
/** The text of a value: a decimal keeps its digits in it. */
const json = (value: unknown): string => JSON.stringify(value);

const NAMES = [
  'item',
  'items',
  'type',
  '__proto__',
  'constructor',
  'toJSON',
  'then',
  'links',
  'größe',
  '名',
  'имя',
];
const NO_NAMES = ['', ' ', '1', 'a b', 'a:b', 'xml:lang', '<', '-', 'a\nb', '😀', '·'];
const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...' \t\n\r<>&"\']]>aé€😀\u0085\u2028\ufffd'), maxLength: 8 }),
  fc
    .string({ unit: 'grapheme' })
    .filter((one) => !/[^\P{C}\t\n\r\u0080-\u{10fffd}]|[\ufffe\uffff]/u.test(one)),
);
const digits = fc.stringMatching(/^-?[1-9][0-9]{0,37}$/);
const decimal = fc
  .tuple(digits, fc.stringMatching(/^[0-9]{1,10}$/), fc.constantFrom('', 'e5', 'E-7', 'e+40'))
  .map(([whole, part, exponent]) => Decimal.parse(`${whole}.${part}${exponent}`) as Decimal);
const scalar = fc.oneof(anyText, fc.integer(), fc.boolean(), fc.constant(null), decimal);
const key = fc.oneof(fc.constantFrom(...NAMES), fc.constantFrom(...NAMES, ...NO_NAMES), anyText);
const value = fc.letrec<{ any: JsonValue }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    scalar,
    fc.array(tie('any'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...NAMES) }, key), tie('any')), {
        maxLength: 4,
      })
      .map((entries) =>
        entries.reduce<JsonObject>((object, [name, one]) => {
          object[name] = one;
          return object;
        }, Object.create(null)),
      ),
  ),
})).any;

// Specification 2.41, 2.42, D.3
test('any JSON value is the same after it is written and read', () =>
  fc.assert(
    fc.asyncProperty(value, value, async (open, declared) => {
      const members: JsonObject = {
        title: 't',
        ...(declared === null ? {} : { anything: declared }),
        größe: open,
      };
      const again = await read(write(members));
      expect(json(again)).toBe(json({ value: members }));
    }),
    { numRuns: 2000 },
  ));

// Specification 2.41
test.each<[JsonValue, string]>([
  ['a text', '<v>a text</v>'],
  ['', '<v/>'],
  [1.5, '<v type="number">1.5</v>'],
  [true, '<v type="boolean">true</v>'],
  [null, '<v type="null"/>'],
  [{ street: 'Quay', no: 12 }, '<v><street>Quay</street><no type="number">12</no></v>'],
  [['a', 1], '<v><item>a</item><item type="number">1</item></v>'],
  [[], '<v type="array"/>'],
  [{}, '<v type="object"/>'],
  [{ item: 'a' }, '<v type="object"><item>a</item></v>'],
  [{ item: 'a', b: 'c' }, '<v><item>a</item><b>c</b></v>'],
  [[['a'], []], '<v><item><item>a</item></item><item type="array"/></v>'],
  [{ a: { 'b c': 1 } }, '<v><a type="json">{&quot;b c&quot;:1}</a></v>'],
  [{ größe: 'XL' }, '<v><größe>XL</größe></v>'],
])('writes %j as real elements', (open, expected) => {
  expect(write({ v: open })).toContain(`<note>${expected}</note>`);
});

// Specification 2.42, D.3
test.each<[string, JsonValue]>([
  ['<v>007</v>', '007'],
  ['<v> a\n b </v>', ' a\n b '],
  ['<v type="text">1</v>', '1'],
  ['<v type="json">[1,{"b c":"&lt;"}]</v>', [1, { 'b c': '<' }]],
  ['<v type="number"> 10 </v>', 10],
  ['<v type="array"><a>1</a><b>2</b></v>', ['1', '2']],
  ['<v type="array"> </v>', []],
  ['<v type="object"><item>1</item><item>2</item></v>', { item: ['1', '2'] }],
  ['<v><item>1</item></v>', ['1']],
  ['<v><phone>1</phone><phone>2</phone></v>', ['1', '2']],
  ['<v><phone>1</phone></v>', { phone: '1' }],
  ['<v><a>1</a><b>2</b><a>3</a></v>', { a: ['1', '3'], b: '2' }],
  ['<v>\n  <a>1</a>\n  <b/>\n</v>', { a: '1', b: '' }],
  ['<v>1</v><v type="number">2</v>', ['1', 2]],
  ['<p:v xmlns:p="urn:p"><p:a>1</p:a></p:v>', { a: '1' }],
  ['<v><a xmlns:xsi="urn:x" xsi:type="xs:date">1</a></v>', { a: '1' }],
  ['<v><![CDATA[<b>]]></v>', '<b>'],
])('reads %s', async (elements, expected) => {
  const root = { value: { v: expected } };
  expect(json(await read(`<note>${elements}</note>`))).toBe(json(root));
  expect(json(await read(`<any:name xmlns:any="urn:a">${elements}</any:name>`))).toBe(json(root));
});

// Specification D.3, 2.42
test.each([
  ['text beside elements', '<v>text<a/></v>'],
  ['text beside nested elements', '<v><a>text<b/></a></v>'],
  ['text beside properties', 'text<v/>'],
  ['a number with letters', '<v type="number">one</v>'],
  ['a quoted number', '<v type="number">"1"</v>'],
  ['a boolean with a digit', '<v type="boolean">1</v>'],
  ['a null with text', '<v type="null">x</v>'],
  ['an object with text', '<v type="object">x</v>'],
  ['an array with text', '<v type="array">x</v>'],
  ['a number with elements', '<v type="number"><a/></v>'],
  ['malformed JSON text', '<v type="json">{</v>'],
  ['an unknown type', '<v type="date">x</v>'],
  ['a repeated declared property', '<title>a</title><title>b</title>'],
  ['a document type', '<!DOCTYPE a><v/>'],
])('refuses %s', async (_what, elements) => {
  expect(await read(`<note>${elements}</note>`)).toHaveProperty('fault.detail');
});

const nested = (depth: number): JsonValue =>
  depth === 0 ? 'x' : depth % 2 === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) };

// Specification 10.10
test('values nest 64 levels deep, as in JSON', async () => {
  const members: JsonObject = { v: nested(63) };
  expect(json(await read(write(members)))).toBe(json({ value: members }));
  expect(await read(write({ v: nested(64) }))).toHaveProperty('fault.detail');
  for (const open of [{ v: { 'a b': nested(62) } }, { v: { a: { 'a b': nested(61) } } }] as JsonObject[])
    expect(json(await read(write(open)))).toBe(json({ value: open }));
  expect(await read(write({ v: { 'a b': nested(63) } }))).toHaveProperty('fault.detail');
  expect(
    await read(`<n><v>${'<a>'.repeat(62)}<b type="array"/><b/>${'</a>'.repeat(62)}</v></n>`),
  ).toHaveProperty('fault');
});

test('an element for each of 100,000 levels is refused at once', async () => {
  const started = performance.now();
  expect(await read('<a>'.repeat(100_000))).toHaveProperty('fault.detail', expect.stringContaining('deeper'));
  expect(performance.now() - started).toBeLessThan(1000);
});

// Specification 2.43, 9.1, 9.5
test.each([
  ['<notes><note><title>1</title></note><note><title>2</title></note></notes>', undefined],
  ['<items><item><title>1</title></item><item><title>2</title></item></items>', undefined],
  ['<notes limit="2"><note><title>1</title></note><note><title>2</title></note><links/></notes>', undefined],
  ['<list><note><title>1</title></note><note><title>2</title></note></list>', true],
  ['<page><items><item><title>1</title></item><item><title>2</title></item></items></page>', true],
  ['<page><notes><note><title>1</title></note><note><title>2</title></note></notes><links/></page>', true],
])('reads the list %s', async (document, only) => {
  const value = [{ title: '1' }, { title: '2' }];
  expect(await read(document, { name: 'notes', ...(only ? { only } : {}) })).toEqual({ value });
});

// Specification 2.43, 2.49
test.each([
  ['a property that occurs twice', '<city>Paris</city><city>Rome</city>', 'city occurs twice', '/place/city'],
  ['text between properties', 'x<city>Paris</city>', 'text between the elements of place', '/place'],
  ['text between values', '<tags>x<item>a</item></tags>', 'text between the elements of tags', '/place/tags'],
])('refuses %s of a declared object', async (_, inner, detail, pointer) => {
  const found = await read(`<note><title>t</title><place>${inner}</place></note>`);
  expect(found).toMatchObject({ fault: { detail: expect.stringContaining(detail), pointer } });
});
