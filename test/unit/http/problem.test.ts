import { describe, expect, test } from '@jest/globals';
import { brief, PROBLEMS, problem, problemDetails } from '../../../shared/http/problem.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';

const WHERE = { basePath: '/v1', instance: '/v1/books/7', requestId: 'r' };

describe('RFC 9457 §3: problem details', () => {
  test('type, title, status and detail, with causes and members', () => {
    const errors = [{ detail: 'must be given', pointer: '/title' }];
    const given = problem('validation-error', 'Correct it', { errors, members: { available: ['a'] } });
    expect(problemDetails(given, WHERE)).toEqual({
      type: '/v1/problems/validation-error',
      title: 'The request is not valid',
      status: 400,
      detail: 'Correct it',
      instance: '/v1/books/7',
      requestId: 'r',
      errors,
      available: ['a'],
    });
  });

  // RFC 9457 §3.1.5: a URI reference. A client can send a path with other characters.
  test.each([
    ['/files/a"b<c>', '/files/a%22b%3Cc%3E'],
    ['/files\\a|b{c}^`', '/files%5Ca%7Cb%7Bc%7D%5E%60'],
    ['/files/%zz/%2F?x=[1]&y=~', '/files/%zz/%2F?x=[1]&y=~'],
  ])('the instance of %s is %s', (instance, shown) => {
    const given = problem('not-found', 'Nothing');
    expect(problemDetails(given, { ...WHERE, instance })).toMatchObject({ instance: shown });
  });

  test('without causes there is no list of errors', () => {
    expect(problemDetails(problem('not-found', 'Nothing'), WHERE)).not.toHaveProperty('errors');
    expect(brief(problem('not-found', 'Nothing'))).toEqual({ name: 'not-found', detail: 'Nothing' });
  });

  test('every problem has a title of its own and a status of an error', () => {
    const all = Object.values(PROBLEMS);
    expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
    for (const { title, status } of atLeastOne(all)) {
      expect(title).toMatch(/^[A-Z]/);
      expect(status).toBeGreaterThanOrEqual(400);
    }
  });

  test.each([
    [499, 499],
    [500, 500],
    [501, 501],
  ])('a text of %i characters gets %i', (characters, left) => {
    expect(brief(problem('conflict', 'x'.repeat(characters))).detail).toHaveLength(left);
  });

  test('a longer text ends with an ellipsis, and not with half a character', () => {
    const room = { causes: 2, characters: 4 };
    const cut = (detail: string) => brief(problem('conflict', detail), room).detail;
    expect([cut('abcd'), cut('abcde'), cut('abc😀'), cut('ab😀cd')]).toEqual([
      'abcd',
      'abcd…',
      'abc…',
      'ab😀…',
    ]);
  });

  test('causes, their texts and members are shortened too', () => {
    const errors = [1, 2, 3].map((n) => ({ detail: `detail ${n}`, parameter: 'parameter' }));
    const given = problem('conflict', 'x', {
      errors,
      members: { text: 'a long text', count: 7 },
      scopes: ['a'],
    });
    expect(brief(given, { causes: 2, characters: 8 })).toEqual({
      name: 'conflict',
      detail: 'x',
      scopes: ['a'],
      errors: [
        { detail: 'detail 1', parameter: 'paramete…' },
        { detail: 'detail 2', parameter: 'paramete…' },
      ],
      members: { text: 'a long t…', count: 7 },
    });
    const many = Array.from({ length: 101 }, () => ({ detail: 'x' }));
    expect(brief(problem('conflict', 'x', { errors: many })).errors).toHaveLength(100);
  });
});
