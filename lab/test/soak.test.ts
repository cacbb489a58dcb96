import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../test/support/client/client.ts';
import { CLIENTS } from '../soak/clients.ts';
import { Ledger } from '../soak/ledger.ts';
import { growth } from '../soak/watch.ts';

describe('the growth of a curve', () => {
  test.each<[number[], number]>([
    [[9, 9, 9, 2, 2, 2, 2, 2, 2], 1],
    [[1, 1, 1, 2, 2, 2, 3, 3, 3], 1.5],
    [[1, 1, 1, 4, 4, 4, 1, 1, 1], 0.25],
    [[1, 1, 1, 2, 2, 2, 2, 2, 90], 1],
  ])('of %j is %d', (values, expected) => {
    expect(growth(values)).toBe(expected);
  });

  test('of too few values has no limit', () => {
    expect(growth([1, 2])).toBe(Infinity);
  });
});

test('a ledger has the last acknowledged state of each item, and counts all writes', () => {
  const ledger = new Ledger();
  ledger.record('/members/1', { name: 'Ada' });
  ledger.record('/members/1', { name: 'Anne' });
  ledger.record('/members/2', 'removed');
  expect([...ledger.items]).toEqual([
    ['/members/1', { name: 'Anne' }],
    ['/members/2', 'removed'],
  ]);
  expect(ledger.writes).toBe(3);
});

test('a client ends with the answer of an operation that fails', async () => {
  const answer = (status: number, json: object, location = '/x/1') =>
    ({ status, headers: { location }, text: JSON.stringify(json), json: () => json }) as unknown as Answer;
  const states = ['Running', 'Failed', 'Succeeded'];
  const send = async (method: string, path: string) => {
    if (method === 'GET') return answer(200, { status: states.shift() });
    return path.endsWith('/pay') ? answer(202, {}) : answer(201, { id: 1 });
  };
  const [, orders] = CLIENTS.find(([name]) => name === 'orders') ?? [];
  const turn = orders?.({ send, ledger: new Ledger(), next: () => 0 });
  await expect(turn?.()).rejects.toThrow('{"status":"Failed"}');
});
