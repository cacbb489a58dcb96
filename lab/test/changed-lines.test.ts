import { expect, test } from '@jest/globals';
import { randomNumbers } from '../../test/support/random-numbers.ts';
import { linesIn, sampleOf } from '../mutants/changed-lines.ts';

const DIFF = `diff --git a/shared/a.ts b/shared/a.ts
--- a/shared/a.ts
+++ b/shared/a.ts
@@ -1,0 +2,4 @@
+import { b } from '../../test/lab/b.ts';
+/** Returns b. */
+const a = b + 1;
+}
@@ -9 +13 @@
-  return a;
+  return a + 1;
--- /dev/null
+++ b/pages/c.ts
@@ -0,0 +1 @@
+export const c = 1;
`;

test('changed lines have code, with their places', () => {
  expect(linesIn(DIFF)).toEqual([
    'shared/a.ts:4: const a = b + 1;',
    'shared/a.ts:13: return a + 1;',
    'pages/c.ts:1: export const c = 1;',
  ]);
});

test('a sample has one line of a module at most, and a seed repeats it', () => {
  const lines = Array.from({ length: 100 }, (_, at) => `${at % 10}.ts:${at}: line`);
  const sample = sampleOf(lines, 20, randomNumbers(7));
  expect(new Set(sample.map((line) => line[0])).size).toBe(10);
  expect(sample).toHaveLength(10);
  expect(sampleOf(lines, 20, randomNumbers(7))).toEqual(sample);
  expect(sampleOf(lines, 4, randomNumbers(8))).toHaveLength(4);
  expect(lines).toEqual(expect.arrayContaining(sample));
});
