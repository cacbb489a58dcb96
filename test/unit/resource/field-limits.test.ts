import { expect, describe as group, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../../shared/json/value.ts';
import { limitsOf } from '../../../shared/resource/access/field-limits.ts';
import { sightOf } from '../../../shared/resource/access/sight.ts';
import { integer, text } from '../../../shared/resource/description/fields.ts';
import { describe } from '../../../shared/resource/description/plan.ts';
import { MAXIMUM_ENTITY } from '../../../shared/resource/description/values.ts';

const description = describe({
  singular: 'employee',
  fields: {
    name: text('Name'),
    salary: integer('Salary', { readableBy: 'salaries:read', writableBy: 'salaries:write' }),
    grade: integer('Grade', { writableBy: 'salaries:write' }),
    phone: text('Phone', { readableBy: 'phones:read' }),
    state: text('State', { server: true, readableBy: 'salaries:read' }),
  },
});
const SCOPES = ['salaries:read', 'salaries:write', 'phones:read'];
const caller = (...scopes: string[]) => ({ principal: { subject: 'ada', scopes } });

group('the limits of a caller', () => {
  test.each([
    [SCOPES, { unseen: [], unsettable: [] }],
    [['salaries:read', 'salaries:write'], { unseen: ['phone'], unsettable: [] }],
    [['salaries:read', 'phones:read'], { unseen: [], unsettable: ['salary', 'grade'] }],
    [
      [],
      {
        unseen: ['salary', 'phone', 'state'],
        unsettable: ['salary', 'grade'],
        kept: ['salary', 'phone', 'grade'],
      },
    ],
  ])('with the scopes %j are %j', (scopes, limits) => {
    expect(limitsOf(description, caller(...scopes))).toMatchObject(limits);
    const count = limits.unseen.length + limits.unsettable.length;
    expect(sightOf(description, caller(...scopes)).isLimited).toBe(count > 0);
  });

  test('do not exist in an open service, or without scopes of fields', () => {
    expect(sightOf(description, {}).isLimited).toBe(false);
    const free = describe({ singular: 'thing', fields: { name: text('Name') } });
    expect(sightOf(free, caller())).toMatchObject({ isLimited: false, authors: false, scopes: [] });
    expect(sightOf(free, caller()).description).toBe(free);
  });
});

test('a reader sees the fields of its scopes, an open service all of them, and no reader none', () => {
  const auditor = sightOf(description, caller('phones:read', 'audit:read'));
  expect(auditor).toMatchObject({ scopes: ['phones:read', 'audit:read'], authors: true });
  expect(sightOf(description, caller('audit:read', 'phones:read'))).toBe(auditor);
  expect(sightOf(description, {}).scopes).toEqual(['salaries:read', 'phones:read']);
  for (const reader of [undefined, caller()]) {
    const { scopes, description: seen } = sightOf(description, reader);
    expect([scopes, Object.keys(seen.fields)]).toEqual([[], ['name', 'grade']]);
  }
});

const values = fc.dictionary(fc.constantFrom('name', 'salary', 'grade', 'phone', 'other'), fc.integer(), {
  noNullPrototype: true,
});

// For every item, every representation and every set of scopes.
test('a PUT changes no field that its caller cannot set, and loses none that it cannot see', () => {
  fc.assert(
    fc.property(values, values, fc.subarray(SCOPES), (before: JsonObject, sent: JsonObject, scopes) => {
      const limits = limitsOf(description, caller(...scopes));
      const kept = limits.completed({ values: before }, { values: sent });
      const isRefused = limits.unsettable.some(
        (name) => name in sent && (limits.unseen.includes(name) || sent[name] !== before[name]),
      );
      expect(kept.kind).toBe(isRefused ? 'refused' : 'complete');
      if (kept.kind === 'refused') return;
      for (const name of limits.unsettable) expect(kept.values[name]).toBe(before[name]);
      for (const name of limits.unseen.filter((one) => one !== 'state'))
        expect(kept.values[name]).toBe(sent[name] ?? before[name]);
      expect(kept.values.name).toBe(sent.name);
      expect(kept.values.other).toBe(sent.other);
    }),
  );
});

test('a PUT whose values are too large together with those that it keeps is refused', () => {
  const limits = limitsOf(description, caller('salaries:read', 'salaries:write'));
  const half = 'x'.repeat(MAXIMUM_ENTITY / 2);
  const kept = limits.completed({ values: { phone: half } }, { values: { name: half } });
  expect(kept).toMatchObject({ kind: 'refused', problem: { name: 'payload-too-large' } });
});

test('the refusal names each field with its scope', () => {
  const limits = limitsOf(description, caller('salaries:read', 'phones:read'));
  const refusal = limits.refusedChange({ values: { salary: 1 } }, { values: { grade: 2 } }, ['grade']);
  expect(refusal).toMatchObject({
    name: 'forbidden',
    detail: 'The scope salaries:write is needed to set salary, grade. Get a token with it',
    errors: [
      { pointer: '/salary', detail: 'needs the scope salaries:write' },
      { pointer: '/grade', detail: 'needs the scope salaries:write' },
    ],
  });
});
