import { describe, expect, test } from '@jest/globals';
import { integer, process, refuse, resource, text } from '../../../api/index.ts';
import { promisesOf } from '../../../infra/stored.ts';
import { openApi } from '../../../openapi/document.ts';
import type { OpenApi } from '../../../openapi/model.ts';
import { registry } from '../../../service/registry.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { linesOf } from '../../../tools/command/check/change.ts';
import { contractChanges } from '../../../tools/command/check/contract.ts';
import { storedChanges } from '../../../tools/command/check/stored.ts';

const without = (name: string): Resource[] => registry.filter((one) => one.name !== name);
const described = (resources: readonly Resource[]): OpenApi => JSON.parse(JSON.stringify(openApi(resources)));
const meanings = (changes: ReturnType<typeof contractChanges>) =>
  changes.map(({ effect, what, consequence }) => [effect, what, consequence]);

describe('the changes of the description', () => {
  const all = described(registry);
  const fewer = described(without('members'));

  test('are none for the same description', () => {
    expect(contractChanges(all, all)).toEqual([]);
  });

  test('name each lost path with its consequence', () => {
    expect(meanings(contractChanges(all, fewer))).toContainEqual([
      'breaks',
      '/members is gone',
      'Requests to this path get 404.',
    ]);
  });

  test('name each new path with its methods', () => {
    const added = contractChanges(fewer, all);
    expect(added.map(({ effect }) => effect)).not.toContain('breaks');
    expect(added.map(({ what }) => what)).toContain('/members/{id}: GET, POST, PUT, PATCH, DELETE');
  });

  test('state a narrower value once, with all its requests', () => {
    const narrow = JSON.parse(JSON.stringify(all).replaceAll('"maxLength":', '"maxLength":1,"was":'));
    const whats = contractChanges(all, narrow).map(({ what }) => what);
    expect(new Set(whats).size).toBe(whats.length);
    expect(whats.some((one) => /^body .*maxLength .*, and is 1 \(.*POST \/members/.test(one))).toBe(true);
  });
});

test('a field that becomes required changes the same requests with one item and with several', () => {
  const widgets = (required: boolean) =>
    described([
      ...registry,
      resource('widgets', { about: 'Things.', fields: { size: integer({ required }), note: text() } }),
    ]);
  const whats = contractChanges(widgets(false), widgets(true)).map(({ what }) => what);
  expect(whats).toEqual([
    'body: size must be given now (POST /widgets, PUT /widgets, PUT /widgets/{id})',
    expect.stringMatching(/^body size: its type was integer or null, and is integer \(POST \/widgets, PUT /),
  ]);
});

/** Returns a resource with rules that refuse requests. */
const ruled = (
  closed: readonly ('create' | 'change' | 'remove')[],
  lockedIn: readonly string[] = [],
  isKept = false,
) =>
  resource('widgets', {
    about: 'Things.',
    closed,
    fields: {
      size: integer({ lockedIn }),
      state: process({ open: { end: 'ended' }, ended: {} }),
    },
    ...(isKept ? { checkRemoval: () => refuse('no') } : {}),
  });

test('a closed method breaks its requests, and an opened one adds them', () => {
  const [open, closed] = [ruled([]), ruled(['remove'])].map((one) => described([...registry, one]));
  const gone = contractChanges(open!, closed!);
  expect(gone.map(({ what }) => what)).toEqual(['DELETE /widgets is gone', 'DELETE /widgets/{id} is gone']);
  expect(gone[0]?.consequence).toBe('These requests get 405.');
  const { '/widgets/{id}': _, ...paths } = closed!.paths;
  const consequences = (isClosed: boolean) =>
    contractChanges(open!, { ...closed!, paths }, () => isClosed)
      .filter(({ what }) => what.startsWith('/widgets/{id} '))
      .map(({ consequence }) => consequence);
  expect(consequences(true)).toEqual(['These requests get 405.']);
  expect(consequences(false)).toEqual(['Requests to this path get 404.']);
  const added = contractChanges(closed!, open!).map(({ effect, what }) => `${effect} ${what}`);
  expect(added).toEqual(['adds /widgets: DELETE', 'adds /widgets/{id}: DELETE']);
});

describe('the changes of stored data', () => {
  const released = promisesOf(registry, {});

  test('are none for the same definitions', () => {
    expect(storedChanges(registry, released)).toEqual([]);
  });

  test('say which stored items a new lock and a rule of removals concern', () => {
    const [free, held] = [ruled([]), ruled([], ['ended'], true)].map((one) => [...registry, one]);
    const before = promisesOf(free!, {});
    expect(meanings(storedChanges(held!, before))).toEqual([
      ['waits', 'widgets.size: locked in ended', expect.stringContaining('409')],
      ['waits', 'widgets: a rule of removals', expect.stringContaining('409')],
    ]);
    expect(storedChanges(free!, promisesOf(held!, {}))).toEqual([]);
    const { locked: _, checksRemoval: __, ...older } = before.widgets!;
    expect(storedChanges(held!, { ...before, widgets: older })).toEqual([]);
  });

  test('say that a new resource gets a table', () => {
    expect(storedChanges(registry, promisesOf(without('members'), {}))).toMatchObject([
      { effect: 'adds', what: 'members: a new table' },
    ]);
  });

  test('say how to get the items of a lost resource back', () => {
    const [lost, ...others] = storedChanges(without('members'), released);
    expect(others).toEqual([]);
    expect(lost).toMatchObject({ effect: 'breaks', what: 'members: no resource needs its table' });
    expect(lost?.wayBack).toContain('adoptedTables');
  });

  describe('name the tables that resources share', () => {
    const forgetful = registry.map(({ history: _, ...one }): Resource => one);
    const isShared = ({ what }: { readonly what: string }) =>
      /^(?:versions|changes|deliveries|waiting|idempotency):/.test(what);
    const shared = (...given: Parameters<typeof storedChanges>) =>
      storedChanges(...given)
        .filter(isShared)
        .map(({ effect, what }) => `${effect} ${what}`);
    const withoutBoth = forgetful.filter(({ name }) => name !== 'subscriptions');

    test.each([
      ['the last history', forgetful, ['versions']],
      ['the subscriptions', without('subscriptions'), ['deliveries', 'waiting']],
      ['both', withoutBoth, ['versions', 'changes', 'deliveries', 'waiting']],
    ])('with %s', (_, fewer, names) => {
      expect(shared(registry, promisesOf(fewer, {}))).toEqual(names.map((one) => `adds ${one}: a new table`));
      expect(shared(fewer, released)).toEqual(
        names.map((one) => `breaks ${one}: no resource needs its table`),
      );
    });

    test('and none if a promise of an earlier release does not say whether a resource had a history', () => {
      const before = Object.entries(released).map(([name, { history: _, ...one }]) => [name, one]);
      expect(storedChanges(registry, Object.fromEntries(before))).toEqual([]);
    });
  });

  test('list a stored attribute that no field reads, and a new field', () => {
    const { members, ...others } = released;
    const { age, ...fields } = members?.fields ?? {};
    expect(age).toBeDefined();
    const before = { ...others, members: { ...members!, fields: { ...fields, shoes: age! } } };
    const whats = storedChanges(registry, before).map(({ effect, what }) => `${effect} ${what}`);
    expect(whats).toEqual(['waits members: no field has the attribute shoes', 'adds members.age']);
  });
});

test('neighbours with one meaning share its lines', () => {
  const [a, b] = [{ what: 'A' }, { what: 'B' }].map((one) => ({
    ...one,
    effect: 'adds' as const,
    consequence: 'none',
    wayBack: 'remove',
  }));
  expect(linesOf([a!, b!])).toEqual([
    '  + A',
    '  + B',
    '      consequence  none',
    '      way back     remove',
  ]);
});
