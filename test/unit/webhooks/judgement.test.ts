import { expect, test } from '@jest/globals';
import type { CloudEvent } from '../../../shared/events/cloud-event.ts';
import {
  type Announced,
  type Subscribed,
  sightingOf,
  standingOf,
} from '../../../shared/events/webhooks/judgement.ts';
import { type Caller, ownerOf } from '../../../shared/resource/access/owner.ts';
import { newItem } from '../../../shared/store/write/new-item.ts';
import { employees } from '../../fixtures/guarded/employees.ts';
import { notebooks } from '../../fixtures/owned/notebooks.ts';
import { papers } from '../../fixtures/owned/papers.ts';

const ADA: Caller = { subject: 'ada', tenant: 'acme', scopes: [] };
const scoped = (...scopes: string[]): Caller => ({ ...ADA, scopes });
const SENT = 1000;

/** The names of the data of an event, without those that every item has. */
const namesIn = ({ data = {} }: CloudEvent) =>
  Object.keys(data)
    .filter((name) => !['id', 'createdAt', 'updatedAt', 'version'].includes(name))
    .sort();

const changeOf = (resource: Announced['resource'], values: object, author: Caller): Announced => ({
  resource,
  item: newItem(resource, author, 0, { ...values }),
  envelope: {
    specversion: '1.0',
    id: 'event',
    source: `/${resource.name}`,
    type: `${resource.description?.singular}.created`,
    subject: `/${resource.name}/1`,
    time: '1970-01-01T00:00:00.000Z',
    authtype: 'unknown',
    authid: 'hash',
    sequence: '1',
  },
});
const subscribed = (caller: Caller, more: Partial<Subscribed> = {}): Subscribed => ({
  values: { types: ['*'], active: true },
  caller,
  isDenied: false,
  ...more,
});

const salary = changeOf(employees, { name: 'Ada', salary: 5000, phone: '555' }, { subject: 'bob' });
const paper = changeOf(papers, { title: 'Plan' }, { subject: 'bob', tenant: 'acme' });
const diary = changeOf(notebooks, { title: 'Diary' }, { subject: 'ada' });

// Specification 18.5
test.each<[string, Announced, Subscribed, readonly string[] | string]>([
  ['fields by scopes', salary, subscribed(scoped('employees:read')), ['name']],
  ['more fields', salary, subscribed(scoped('employees:read', 'salaries:read')), ['bonus', 'name', 'salary']],
  ['an open service', salary, subscribed({}), ['bonus', 'name', 'phone', 'salary']],
  ['no scope', salary, subscribed(scoped('salaries:read')), 'may not read employees'],
  ['a narrower selection', salary, subscribed({}, { values: { types: ['paper.*'] } }), 'does not select'],
  [
    'another collection',
    salary,
    subscribed({}, { values: { types: ['*'], resource: 'papers' } }),
    'does not select',
  ],
  ['the tenant', paper, subscribed(scoped('papers:read')), ['title']],
  ['the owner', diary, subscribed(scoped('notebooks:read')), ['title']],
])('an attempt has what the grant may see: %s', (_, change, subscription, seen) => {
  const one = sightingOf(subscription, change);
  if (typeof seen === 'string')
    expect(one).toEqual({ kind: 'unseen', reason: expect.stringContaining(seen) });
  else expect(one.kind === 'seen' && namesIn(one.event)).toEqual(seen);
  expect(JSON.stringify(one)).not.toContain('hash');
});
// Specification 18.5
test.each<[string, Announced, Caller]>([
  ['a subject', diary, { ...scoped('notebooks:read'), subject: 'bob' }],
  ['a tenant', paper, { ...scoped('papers:read'), tenant: 'other' }],
])('no grant sees the item of another owner: %s', (_, change, caller) => {
  expect(sightingOf(subscribed(caller), change)).toMatchObject({ kind: 'unseen' });
  expect(ownerOf(change.resource, caller)).not.toBe(change.item.owner);
});

// Specification 18.5, 18.8
test('a denied owner ends a subscription before anything else is judged', () => {
  const paused = { values: { types: ['*'], active: false } };
  expect(standingOf(subscribed(ADA), SENT)).toEqual({ kind: 'entitled' });
  expect(standingOf(subscribed(ADA, paused), SENT)).toEqual({ kind: 'inactive' });
  for (const more of [{}, paused])
    expect(standingOf(subscribed(ADA, { ...more, isDenied: true }), SENT)).toMatchObject({ kind: 'ended' });
});
