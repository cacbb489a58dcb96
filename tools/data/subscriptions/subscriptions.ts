import { DeleteItemCommand, paginateQuery, paginateScan } from '@aws-sdk/client-dynamodb';
import { registry } from '../../../service/registry.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { config } from '../../../shared/aws/config.ts';
import { COUNTS, DELIVERIES_TABLE } from '../../../shared/events/webhooks/deliveries.ts';
import { subscriberRemoval } from '../../../shared/events/webhooks/subscriber.ts';
import type { JsonObject } from '../../../shared/json/value.ts';
import { SERVICE } from '../../../shared/resource/access/owner.ts';
import { descriptionOf } from '../../../shared/resource/description/described.ts';
import type { Item } from '../../../shared/resource/item.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { fromAttributes, number } from '../../../shared/store/items/attributes.ts';
import { itemsOf } from '../../../shared/store/items/items.ts';
import { CONSTRAINT } from '../../../shared/store/items/table.ts';
import { compare, readExpression } from '../../../shared/store/write/expression.ts';
import { Obstacle } from '../../obstacle.ts';

/** Which subscriptions a command is about, and why. `ids`: those named one by one. */
export interface Wanted {
  readonly ids: readonly string[];
  readonly subject: string | undefined;
  readonly all: boolean;
  readonly suspended: boolean;
  readonly reason: string | undefined;
}

const OPERATORS = 'operators';
const REASON = 'The operators of the service have suspended the subscription';

/**
 * Lists the subscriptions of a service, suspends, resumes or removes them. It prints no path and no query of a URL, because
 * these can be secret. `resume` resumes only what operators have suspended. Returns the number of subscriptions.
 *
 * @throws Obstacle for another command, if no subscription is named, or if the service has none
 */
export async function subscriptions(
  command: string | undefined,
  wanted: Wanted,
  report: (line: string) => void,
): Promise<number> {
  const resource = registry.find(({ name }) => name === 'subscriptions');
  if (!resource) throw new Obstacle('The service has no subscriptions');
  const isNamed = wanted.all || wanted.ids.length > 0 || wanted.subject !== undefined;
  if (command !== 'list' && !isNamed) throw new Obstacle('Name subscriptions, or --subject, or --all');
  const act = ACTIONS[command ?? ''];
  if (!act) throw new Obstacle('subscriptions list, suspend, resume or remove');
  let count = 0;
  for await (const item of itemsIn(resource)) {
    if (!isWanted(item, wanted) || !(await act(resource, item, wanted.reason ?? REASON))) continue;
    report(lineOf(item));
    count += 1;
  }
  report(`${count} subscriptions${command === 'list' ? '' : `: ${command}`}`);
  return count;
}

/** Removes the numbers of subscriptions, by their owners: the next creation counts them again. */
export async function forgetCounts(): Promise<void> {
  const { name, key, sort } = DELIVERIES_TABLE;
  const TableName = config.tableName(name);
  const query = {
    TableName,
    ...readExpression({ key: compare(key, '=', number(COUNTS)), only: [key, sort] }),
  };
  for await (const { Items = [] } of paginateQuery({ client: dynamoDb() }, query))
    for (const Key of Items) await dynamoDb().send(new DeleteItemCommand({ TableName, Key }));
}

/** An action. False: it has nothing to do. */
type Act = (resource: Resource, item: Item, reason: string) => Promise<boolean>;

const ACTIONS: Readonly<Record<string, Act>> = {
  list: async () => true,
  suspend: (resource, { id }, reason) =>
    change(resource, Number(id), ({ suspendedBy }) =>
      suspendedBy === OPERATORS ? undefined : { active: false, reason, suspendedBy: OPERATORS },
    ),
  resume: (resource, { id }) =>
    change(resource, Number(id), ({ suspendedBy }) =>
      suspendedBy === OPERATORS ? { active: true, reason: null, suspendedBy: null } : undefined,
    ),
  remove: async (resource, { id }) => {
    const answers = [subscriberRemoval(Number(id), Date.now())];
    return (await itemsOf(resource, SERVICE).remove(id, { answers })).kind === 'removed';
  },
};

/** Changes a subscription as the service, again if its owner or an attempt changes it at the same time. */
async function change(
  resource: Resource,
  id: number,
  valuesOf: (values: JsonObject) => JsonObject | undefined,
): Promise<boolean> {
  for (;;) {
    const before = await itemsOf(resource, SERVICE).get(id);
    const values = before && valuesOf(before.values);
    if (!values) return false;
    const terms = { now: Date.now(), before, version: before.version };
    const after = await itemsOf(resource, SERVICE).replace(id, { ...before.values, ...values }, terms);
    if (after.kind === 'written') return true;
  }
}

async function* itemsIn(resource: Resource): AsyncGenerator<Item> {
  const scan = { TableName: config.tableName(resource.name), ConsistentRead: true };
  for await (const { Items = [] } of paginateScan({ client: dynamoDb() }, scan))
    for (const row of Items) if (!row[CONSTRAINT]) yield fromAttributes(descriptionOf(resource), row);
}

const isWanted = ({ id, createdBy, values }: Item, { ids, subject, suspended }: Wanted): boolean =>
  (ids.length === 0 || ids.includes(String(id))) &&
  (subject === undefined || createdBy === subject) &&
  (!suspended || values.status === 'suspended');

function lineOf({ id, createdBy, values }: Item): string {
  const { url, types, status, lastSuccess } = values;
  const last = typeof lastSuccess === 'number' ? new Date(lastSuccess).toISOString() : 'never';
  return [id, createdBy ?? '-', new URL(String(url)).host, [types].flat().join(','), status, last].join('  ');
}
