import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJson } from '../../../shared/json/parse.ts';
import { applyPatch, type PatchOperation, parsePatch } from '../../../shared/json/patch.ts';
import { type JsonObject, type JsonValue, jsonEqual } from '../../../shared/json/value.ts';
import { expectLinear } from '../../support/expectations/expect-linear.ts';

const read = (text: string) => (parseJson(text) as { value: JsonValue }).value;

/** The operations of a valid patch. */
function operationsOf(patch: JsonValue): readonly PatchOperation[] {
  const parsed = parsePatch(patch);
  if ('fault' in parsed) throw new Error(`${parsed.fault} ${parsed.pointer}`);
  return parsed.operations;
}

/** The patched document as text, or the reason and pointer of the conflict. */
function apply(document: string, patch: string): string {
  const before = read(document);
  const result = applyPatch(before, operationsOf(read(patch)));
  expect(JSON.stringify(before)).toBe(document);
  return 'value' in result
    ? JSON.stringify(result.value)
    : `${result.operation} ${result.reason} ${result.pointer}`;
}

interface Vector {
  readonly comment?: string;
  readonly doc: JsonValue;
  readonly patch: JsonValue;
  readonly expected?: JsonValue;
  readonly error?: string;
  readonly disabled?: boolean;
}

const require = createRequire(import.meta.url);

describe.each(['spec_tests.json', 'tests.json'])('json-patch-test-suite %s', (file) => {
  const vectors = (require(`json-patch-test-suite/${file}`) as Vector[]).filter(
    (v) => 'patch' in v && !v.disabled,
  );
  test.each(vectors.map((vector, i) => [vector.comment ?? vector.error ?? `vector ${i}`, vector] as const))(
    '%s',
    (_, vector) => {
      const before = JSON.stringify(vector.doc);
      const parsed = parsePatch(vector.patch);
      const result = 'fault' in parsed ? parsed : applyPatch(vector.doc, parsed.operations);
      if (vector.error !== undefined) expect('fault' in result).toBe(true);
      else if (!('value' in result)) throw new Error(JSON.stringify(result));
      else if (vector.expected !== undefined) expect(jsonEqual(result.value, vector.expected)).toBe(true);
      expect(JSON.stringify(vector.doc)).toBe(before);
    },
  );
});

describe('RFC 6902 §3, §4: an invalid patch', () => {
  test.each([
    ['{}', -1, ''],
    ['null', -1, ''],
    ['"[]"', -1, ''],
    ['[1]', 0, '/0'],
    ['[[]]', 0, '/0'],
    ['[null]', 0, '/0'],
    ['[1.0]', 0, '/0'],
    ['[{}]', 0, '/0'],
    ['[{"op":"test","path":"","value":1},{"op":"spam","path":"/a"}]', 1, '/1/op'],
    ['[{"op":"Add","path":"/a","value":1}]', 0, '/0/op'],
    ['[{"op":1,"path":"/a","value":1}]', 0, '/0/op'],
    ['[{"op":"toString","path":"/a"}]', 0, '/0/op'],
    ['[{"op":"add","value":1}]', 0, '/0'],
    ['[{"op":"add","path":"a","value":1}]', 0, '/0/path'],
    ['[{"op":"add","path":"/~2","value":1}]', 0, '/0/path'],
    ['[{"op":"add","path":1,"value":1}]', 0, '/0/path'],
    ['[{"op":"add","path":null,"value":1}]', 0, '/0/path'],
    ['[{"op":"add","path":["a"],"value":1}]', 0, '/0/path'],
    ['[{"op":"add","path":"/a"}]', 0, '/0'],
    ['[{"op":"replace","path":"/a"}]', 0, '/0'],
    ['[{"op":"test","path":"/a"}]', 0, '/0'],
    ['[{"op":"remove"}]', 0, '/0'],
    ['[{"op":"move","path":"/a"}]', 0, '/0'],
    ['[{"op":"move","from":"/a"}]', 0, '/0'],
    ['[{"op":"copy","path":"/a","from":"b"}]', 0, '/0/from'],
    ['[{"op":"copy","path":"/a","from":0}]', 0, '/0/from'],
  ])('%s', (text, operation, pointer) => {
    expect(parsePatch(read(text))).toEqual({ fault: expect.any(String), operation, pointer });
  });

  test('inherited properties do not count', () => {
    expect(parsePatch([Object.create({ op: 'remove', path: '/a' })])).toMatchObject({ operation: 0 });
  });
  test('null is a value, and undefined properties have no effect', () => {
    expect(operationsOf(read('[{"op":"add","path":"/a","value":null,"xyz":1,"from":2}]'))).toEqual([
      { op: 'add', path: ['a'], value: null },
    ]);
  });
  test('an empty patch changes nothing', () => expect(apply('{"a":1}', '[]')).toBe('{"a":1}'));
  test('never throws on any JSON', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void parsePatch([value as JsonValue])));
  });
});

describe('RFC 6902 §4: the operations', () => {
  test.each([
    // add
    ['{"a":1}', '[{"op":"add","path":"","value":[]}]', '[]'],
    ['{"a":1}', '[{"op":"add","path":"/a","value":2}]', '{"a":2}'],
    ['[1]', '[{"op":"add","path":"/-","value":2}]', '[1,2]'],
    ['[1]', '[{"op":"add","path":"/1","value":2}]', '[1,2]'],
    ['[1]', '[{"op":"add","path":"/0","value":2}]', '[2,1]'],
    ['[1]', '[{"op":"add","path":"/2","value":2}]', '0 cannot /2'],
    ['[1]', '[{"op":"add","path":"/01","value":2}]', '0 cannot /01'],
    ['[1]', '[{"op":"add","path":"/a","value":2}]', '0 cannot /a'],
    ['[1]', '[{"op":"add","path":"/length","value":0}]', '0 cannot /length'],
    ['{"a":1}', '[{"op":"add","path":"/b/c","value":2}]', '0 missing /b/c'],
    ['{"a":1}', '[{"op":"add","path":"/a/b","value":2}]', '0 missing /a/b'],
    ['{"a":"x"}', '[{"op":"add","path":"/a/0","value":2}]', '0 missing /a/0'],
    ['{"a":1}', '[{"op":"add","path":"/-","value":2}]', '{"a":1,"-":2}'],
    // remove
    ['{"a":1}', '[{"op":"remove","path":""}]', 'null'],
    ['{"a":1,"b":2}', '[{"op":"remove","path":"/a"}]', '{"b":2}'],
    ['[1,2,3]', '[{"op":"remove","path":"/1"}]', '[1,3]'],
    ['[1]', '[{"op":"remove","path":"/-"}]', '0 missing /-'],
    ['[1]', '[{"op":"remove","path":"/1"}]', '0 missing /1'],
    ['{"a":1}', '[{"op":"remove","path":"/b"}]', '0 missing /b'],
    ['{"a":null}', '[{"op":"remove","path":"/a"}]', '{}'],
    // replace
    ['{"a":1}', '[{"op":"replace","path":"","value":7}]', '7'],
    ['{"a":1,"b":2}', '[{"op":"replace","path":"/a","value":null}]', '{"a":null,"b":2}'],
    ['[1,2]', '[{"op":"replace","path":"/0","value":3}]', '[3,2]'],
    ['[1]', '[{"op":"replace","path":"/-","value":3}]', '0 missing /-'],
    ['{"a":1}', '[{"op":"replace","path":"/b","value":3}]', '0 missing /b'],
    // move
    ['{"a":1}', '[{"op":"move","from":"/a","path":"/b"}]', '{"b":1}'],
    ['{"a":{"b":1}}', '[{"op":"move","from":"/a/b","path":""}]', '1'],
    ['{"a":{"b":1}}', '[{"op":"move","from":"/a/b","path":"/a"}]', '{"a":1}'],
    ['{"a":{"b":{}}}', '[{"op":"move","from":"/a","path":"/a/b"}]', '0 cannot /a/b'],
    ['{"a":{}}', '[{"op":"move","from":"","path":"/a"}]', '0 cannot /a'],
    ['{"a":1}', '[{"op":"move","from":"/a","path":"/a"}]', '{"a":1}'],
    ['{"a":1}', '[{"op":"move","from":"","path":""}]', '{"a":1}'],
    ['{"a":1}', '[{"op":"move","from":"/b","path":"/b"}]', '0 missing /b'],
    ['{"a":1,"ab":{}}', '[{"op":"move","from":"/a","path":"/ab/c"}]', '{"ab":{"c":1}}'],
    ['[1,2,3]', '[{"op":"move","from":"/0","path":"/2"}]', '[2,3,1]'],
    ['[1,2,3]', '[{"op":"move","from":"/0","path":"/-"}]', '[2,3,1]'],
    ['[1,2,3]', '[{"op":"move","from":"/0","path":"/3"}]', '0 cannot /3'], // the array is shorter after the removal
    // copy
    [
      '{"a":[1]}',
      '[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/-","value":2}]',
      '{"a":[1],"b":[1,2]}',
    ],
    [
      '{"a":[1]}',
      '[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/a/-","value":2}]',
      '{"a":[1,2],"b":[1]}',
    ],
    ['{"a":1}', '[{"op":"copy","from":"","path":"/b"}]', '{"a":1,"b":{"a":1}}'],
    ['{}', '[{"op":"copy","from":"/toString","path":"/b"}]', '0 missing /toString'],
    ['{}', '[{"op":"copy","from":"/__proto__","path":"/b"}]', '0 missing /__proto__'],
    ['[]', '[{"op":"copy","from":"/length","path":"/0"}]', '0 missing /length'],
    // test
    ['{"a":1.0}', '[{"op":"test","path":"/a","value":1}]', '{"a":1}'],
    ['{"a":1}', '[{"op":"test","path":"","value":{"a":1.0}}]', '{"a":1}'],
    ['{"a":1}', '[{"op":"test","path":"/a","value":"1"}]', '0 test-failed /a'],
    ['{"a":1}', '[{"op":"test","path":"/b","value":null}]', '0 missing /b'],
    ['{"~1":1}', '[{"op":"test","path":"/~01","value":2}]', '0 test-failed /~01'],
  ])('%s with %s', (document, patch, result) => {
    // 1.0 is written as 1, so the unchanged document is compared by value in those cases.
    expect(apply(document.replace('1.0', '1'), patch)).toBe(result);
  });

  test('"__proto__" is an ordinary name', () => {
    const patched = applyPatch(
      read('{}'),
      operationsOf(
        read(
          '[{"op":"add","path":"/__proto__","value":{"x":1}},{"op":"add","path":"/__proto__/y","value":2}]',
        ),
      ),
    );
    expect(JSON.stringify(patched)).toBe('{"value":{"__proto__":{"x":1,"y":2}}}');
    expect(Reflect.get({}, 'x')).toBeUndefined();
    expect(apply('{}', '[{"op":"add","path":"/__proto__/polluted","value":1}]')).toBe(
      '0 missing /__proto__/polluted',
    );
    expect(apply('{}', '[{"op":"add","path":"/constructor/prototype","value":1}]')).toBe(
      '0 missing /constructor/prototype',
    );
    const plain = applyPatch({}, [{ op: 'add', path: ['__proto__'], value: { x: 1 } }]);
    expect(JSON.stringify(plain)).toBe('{"value":{"__proto__":{"x":1}}}');
  });

  test('exact numbers stay exact', () => {
    expect(
      apply(
        '{"a":12345678901234567890}',
        '[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/c","value":99.90}]',
      ),
    ).toBe('{"a":12345678901234567890,"b":12345678901234567890,"c":99.90}');
  });
});

describe('RFC 6902 §5: all or nothing, in order', () => {
  test('a failure names its operation and leaves the document unchanged', () => {
    expect(
      apply(
        '{"a":[1]}',
        '[{"op":"add","path":"/a/-","value":2},{"op":"remove","path":"/a/0"},{"op":"test","path":"/a","value":[1]}]',
      ),
    ).toBe('2 test-failed /a');
  });
  test('the same operations apply again, although results share parts with them', () => {
    const operations = operationsOf(
      read('[{"op":"add","path":"/a","value":{"list":[]}},{"op":"add","path":"/a/list/-","value":1}]'),
    );
    for (let i = 0; i < 2; i++)
      expect(JSON.stringify(applyPatch({}, operations))).toBe('{"value":{"a":{"list":[1]}}}');
    expect(JSON.stringify(operations[0])).toBe('{"op":"add","path":["a"],"value":{"list":[]}}');
  });

  test('any patch leaves the document unchanged without an exception, and its inverse restores it', () => {
    const token = fc.constantFrom('a', 'b', '0', '1', '-', '__proto__', 'length');
    const path = fc.array(token, { maxLength: 3 });
    const value = fc
      .constantFrom<JsonValue>(1, null, 'x')
      .chain((leaf) => fc.constantFrom<JsonValue>(leaf, [leaf], { a: leaf }, { b: [leaf, { a: 1 }] }));
    const operation: fc.Arbitrary<PatchOperation> = fc.oneof(
      fc.record({ op: fc.constantFrom('add' as const, 'replace' as const, 'test' as const), path, value }),
      fc.record({ op: fc.constant('remove' as const), path }),
      fc.record({ op: fc.constantFrom('move' as const, 'copy' as const), path, from: path }),
    );
    fc.assert(
      fc.property(value, fc.array(operation, { maxLength: 8 }), (document, operations) => {
        const before = JSON.stringify([document, operations]);
        const result = applyPatch(document, operations);
        expect(JSON.stringify([document, operations])).toBe(before);
        // One by one from fresh copies, so that the operations cannot share data.
        let step = JSON.parse(JSON.stringify(document)) as JsonValue;
        for (const [i, each] of operations.entries()) {
          const next = applyPatch(step, [each]);
          if (!('value' in next)) {
            expect(result).toEqual({ ...next, operation: i });
            return;
          }
          step = read(JSON.stringify(next.value));
        }
        expect('value' in result && JSON.stringify(result.value)).toBe(JSON.stringify(step));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the work for a patch is limited by its size:', () => {
  const nested = (depth: number) => read('['.repeat(depth) + ']'.repeat(depth));
  const doubling = JSON.stringify(Array.from({ length: 40 }, () => ({ op: 'copy', from: '', path: '/-' })));
  test('copies that would double the document 40 times get a refusal', () => {
    expect(apply('[[1,2,3]]', doubling)).toMatch(/^\d+ too-large \/-$/);
  });
  test('a copy fits into a million characters', () => {
    const copied = (characters: number) =>
      apply(JSON.stringify(['x'.repeat(characters)]), '[{"op":"copy","from":"","path":"/-"}]');
    expect(copied(499_994)).toMatch(/^\["x+",\["x+"\]\]$/);
    expect(copied(499_995)).toBe('0 too-large /-');
  });
  test.each([
    ['texts', '"xxxxxxxxxx"'],
    ['names', '{"xxxxxxxxxx":1}'],
    ['numbers', '12345678901'],
    ['decimals', '0.123456789012345678901'],
  ])('copies of long %s count by their characters', (_, value) => {
    const copies = JSON.stringify(
      Array.from({ length: 10 }, (_one, n) => ({ op: 'copy', from: '/a', path: `/c${n}` })),
    );
    expect(apply(`{"rest":"${'x'.repeat(999_890)}","a":${value}}`, copies)).toMatch(/^[2-7] too-large/);
  });
  test.each<[string, (depth: number) => JsonObject, PatchOperation['op'], number]>([
    ['an added value', () => ({}), 'add', 63],
    ['a moved value', (depth) => ({ a: nested(depth), b: { c: {} } }), 'move', 61],
    ['a copied document', (depth) => ({ a: {}, v: nested(depth) }), 'copy', 61],
  ])('nesting stays within 64 with %s', (_, document, op, most) => {
    const patched = (depth: number) =>
      applyPatch(document(depth), [
        op === 'add'
          ? { op, path: ['a'], value: nested(depth) }
          : op === 'move'
            ? { op, from: ['a'], path: ['b', 'c', 'd'] }
            : { op: 'copy', from: [], path: ['a', 'a'] },
      ]);
    expect(patched(most)).toHaveProperty('value');
    expect(patched(most + 1)).toMatchObject({ operation: 0, reason: 'cannot' });
  });
  test('a thousand moves of a large value into a deeper place get a refusal', () => {
    const large = Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`k${i}`, i]));
    const there: PatchOperation = { op: 'move', from: ['a'], path: ['b', 'c', 'd'] };
    const back: PatchOperation = { op: 'move', from: ['b', 'c', 'd'], path: ['a'] };
    const operations = Array.from({ length: 1000 }, (_, i) => (i % 2 === 0 ? there : back));
    expect(applyPatch({ a: large, b: { c: {} } }, operations)).toMatchObject({
      operation: 18,
      reason: 'cannot',
    });
  });
  test('changes of all properties of an object take linear time', async () => {
    const inputs = new Map<number, Parameters<typeof applyPatch>>();
    const inputOf = (length: number): Parameters<typeof applyPatch> => [
      Object.fromEntries(Array.from({ length }, (_, i) => [`k${i}`, i])),
      Array.from({ length }, (_, i): PatchOperation => ({ op: 'replace', path: [`k${i}`], value: -1 })),
    ];
    await expectLinear((length) => {
      const input = inputs.get(length) ?? inputOf(length / 25);
      inputs.set(length, input);
      expect(applyPatch(...input)).toHaveProperty('value');
    });
  });
});
