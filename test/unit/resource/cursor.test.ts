import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatCursor, listIdentity, parseCursor } from '../../../shared/resource/lists/cursor.ts';

const sortOrder = [{ field: 'name', descending: false }];
const query = { limit: 10, offset: 0, sortOrder, filters: [] };
const filter = { field: 'a', operator: '=', values: ['b'] } as const;
const identity = listIdentity('/members', query);
const position = { key: Uint8Array.of(1, 2, 3), id: 7, backwards: false };
const cursor = formatCursor(identity, position, 20);

describe('a cursor', () => {
  test('leads back to any position of its list', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 1024 }),
        fc.oneof(fc.maxSafeNat(), fc.string({ minLength: 1, maxLength: 255 })),
        fc.boolean(),
        fc.maxSafeNat(),
        (key, id, backwards, offset) => {
          const kind = typeof id === 'number' ? 'integer' : 'text';
          const read = parseCursor(identity, formatCursor(identity, { key, id, backwards }, offset), kind);
          expect(read).toEqual({ position: { key: Buffer.from(key), id, backwards }, offset });
        },
      ),
    );
  });

  test.each([
    ['path', listIdentity('/customers', query)],
    ['sort field', listIdentity('/members', { ...query, sortOrder: [{ field: 'age', descending: false }] })],
    ['direction', listIdentity('/members', { ...query, sortOrder: [{ field: 'name', descending: true }] })],
    ['filter', listIdentity('/members', { ...query, filters: [filter] })],
  ])('does not fit a list with another %s', (_what, other) => {
    expect(parseCursor(other, cursor, 'integer')).toBeUndefined();
  });

  test('is the same for every page size of its list', () => {
    const other = { ...query, limit: 5, offset: 3 };
    expect(listIdentity('/members', other)).toBe(identity);
  });

  test('is refused if one character differs', () => {
    for (const at of cursor.split('').keys()) {
      const changed = `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`;
      expect(parseCursor(identity, changed, 'integer')).toBeUndefined();
    }
  });

  test('is refused if its identifier is of another kind', () => {
    expect(parseCursor(identity, cursor, 'text')).toBeUndefined();
  });

  test.each(['', 'x', 'x'.repeat(5000)])('is refused if it is not a cursor: %#', (text) => {
    expect(parseCursor(identity, text, 'integer')).toBeUndefined();
  });
});
