import { operation } from '../dynamodb.ts';
import { invalid } from '../faults.ts';
import { expiryOf } from '../rows.ts';
import type { Item } from '../value.ts';

interface UpdateTimeToLiveRequest {
  TableName?: string;
  TimeToLiveSpecification?: { AttributeName?: string; Enabled?: boolean };
}

/** Chooses the attribute that holds an item's end, in seconds since 1970. Source: API Reference "UpdateTimeToLive". */
export const updateTimeToLive = operation<UpdateTimeToLiveRequest>(
  ['TableName', 'TimeToLiveSpecification'],
  ({ storage, tables }, { TableName: name, TimeToLiveSpecification: specification = {} }) => {
    const table = tables.named(name);
    const { AttributeName: attribute, Enabled: enabled } = specification;
    if (!attribute) throw invalid('TimeToLiveSpecification.AttributeName must not be empty');
    if (enabled === (table.ttl !== undefined)) {
      throw invalid(`TimeToLive is already ${enabled ? 'enabled' : 'disabled'}`);
    }
    const changed = { ...table, ttl: enabled ? attribute : undefined };
    storage.transaction(() => {
      for (const { id, doc } of storage.all<{ id: number; doc: string }>(
        'SELECT id, doc FROM item WHERE tbl = ?',
        table.id,
      )) {
        storage.run(
          'UPDATE item SET expires = ? WHERE id = ?',
          expiryOf(changed, JSON.parse(doc) as Item),
          id,
        );
      }
      tables.save(changed);
    });
    return { TimeToLiveSpecification: specification };
  },
);
