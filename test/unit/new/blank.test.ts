import { expect, test } from '@jest/globals';
import { testsOfExamples } from '../../../tools/new/blank.ts';

const modules = new Map([
  ['test/a.test.ts', { isNaming: true, imports: ['test/support/plain.ts'] }],
  ['test/b.test.ts', { isNaming: false, imports: ['test/support/client/walk.ts'] }],
  ['test/c.test.ts', { isNaming: false, imports: ['functions/orders/process.ts'] }],
  ['test/d.test.ts', { isNaming: false, imports: ['test/support/plain.ts', 'functions/files/name.ts'] }],
  ['test/support/plain.ts', { isNaming: false, imports: [] }],
  ['test/support/client/walk.ts', { isNaming: true, imports: [] }],
]);

test('a test goes with the examples if it names one, or imports a module that does', () => {
  expect(testsOfExamples(modules)).toEqual([
    'test/a.test.ts',
    'test/b.test.ts',
    'test/c.test.ts',
    'test/support/client/walk.ts',
  ]);
});
