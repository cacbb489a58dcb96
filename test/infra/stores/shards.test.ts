import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { members } from '../../../functions/members.ts';
import { shardsVariables } from '../../../infra/constructs/stores/shards.ts';
import { shardsToDeploy } from '../../../infra/stored.ts';

const released = (shards?: number) => ({ members: shards === undefined ? {} : { shards } });

test.each([
  ['no growth', 4, undefined, { write: 4, read: 4 }],
  ['the first deployment of growth: only readers', 16, undefined, { write: 4, read: 16 }],
  ['the second one, after the file names the number', 16, 16, { write: 16, read: 16 }],
  ['a lower number afterwards: only writers', 8, 16, { write: 8, read: 16 }],
])('shards in %s', (_, wanted, deployed, shards) => {
  expect(shardsToDeploy('members', wanted, released(deployed))).toEqual(shards);
});

test('a new table has as many shards as its resource wants', () => {
  expect(shardsToDeploy('pets', 16, {})).toEqual({ write: 16, read: 16 });
});

// The canary and the roll-back: writers of either deployment write only what readers of both read.
test('no deployment writes into shards that the deployment before it does not read', () => {
  const counts = fc.integer({ min: 1, max: 100 });
  fc.assert(
    fc.property(counts, counts, counts, (deployed, before, after) => {
      const old = shardsToDeploy('members', before, released(deployed));
      // The operator raises the number in the file to what the readers of the completed deployment read.
      const next = shardsToDeploy('members', after, released(old.read));
      expect(next.write).toBeLessThanOrEqual(old.read);
      expect(old.write).toBeLessThanOrEqual(next.read);
    }),
  );
});

test('the definition of a resource decides before the option', () => {
  expect(shardsVariables(members, { shards: undefined })).toEqual({});
  expect(shardsVariables(members, { shards: 8 })).toEqual({ SHARDS_MEMBERS: '4/8' });
  const busy = { ...members, table: { ...members.table, shards: 16 } };
  expect(shardsVariables(busy, { shards: 8 })).toEqual({ SHARDS_MEMBERS: '4/16' });
});
