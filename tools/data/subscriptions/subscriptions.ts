import type { Put } from '@aws-sdk/client-dynamodb';
import {
  isSuspendedByOperators,
  resumptionOf,
  suspensionOf,
} from '../../../functions/subscriptions/operators.ts';
import { allWaiting } from '../../../functions/webhooks/waiting-rows.ts';
import { registry } from '../../../service/registry.ts';
import { config } from '../../../shared/aws/config.ts';
import { COUNTS, DELIVERIES_TABLE } from '../../../shared/events/webhooks/deliveries.ts';
import { removalPuts } from '../../../shared/events/webhooks/subscriber.ts';
import { revisionPut, startPut, WAITING_TABLE } from '../../../shared/events/webhooks/waiting-table.ts';
import type { JsonObject } from '../../../shared/json/value.ts';
import { SERVICE } from '../../../shared/resource/access/owner.ts';
import type { Item } from '../../../shared/resource/item.ts';
import { descriptionOf, type Resource } from '../../../shared/resource/resource.ts';
import { fromAttributes, number } from '../../../shared/store/form/attributes.ts';
import { itemsOf } from '../../../shared/store/items/items.ts';
import { itemRows } from '../../../shared/store/items/read-items.ts';
import { UserError } from '../../user-error.ts';
import { removeRows } from '../rows.ts';

/** Which subscriptions a command is about, and why. `ids`: those named one by one. */
export interface Wanted {
  readonly ids: readonly string[];
  readonly subject: string | undefined;
  readonly all: boolean;
  readonly suspended: boolean;
  readonly reason: string | undefined;
}

/** A subscription is suspended before so many events wait. */
const MOST_WAITING = 20_000;

/**
 * Lists the subscriptions of a service, suspends, resumes or removes them. It prints no path and no query of a URL, because
 * these can be secret. `resume` resumes only what operators have suspended. Returns the number of subscriptions.
 *
 * @throws UserError for another command, if no subscription is named, or if the service has none
 */
export async function subscriptions(
  command: string | undefined,
  wanted: Wanted,
  report: (line: string) => void,
): Promise<number> {
  const resource = registry.find(({ name }) => name === 'subscriptions');
  if (!resource) throw new UserError('The service has no subscriptions');
  const isNamed = wanted.all || wanted.ids.length > 0 || wanted.subject !== undefined;
  if (command !== 'list' && !isNamed) throw new UserError('Name subscriptions, or --subject, or --all');
  const act = ACTIONS[command ?? ''];
  if (!act) throw new UserError('subscriptions list, suspend, resume or remove');
  let count = 0;
  for await (const item of itemsIn(resource)) {
    if (!isWanted(item, wanted) || !(await act(resource, item, wanted.reason))) continue;
    report(await lineOf(item));
    count += 1;
  }
  report(`${count} subscriptions${command === 'list' ? '' : `: ${command}`}`);
  return count;
}

/** Removes the numbers of subscriptions, by their owners: the next creation counts them again. */
export const forgetCounts = (): Promise<void> => removeRows(DELIVERIES_TABLE, number(COUNTS));

/** An action. False: it has nothing to do. */
type Act = (resource: Resource, item: Item, reason: string | undefined) => Promise<boolean>;

const ACTIONS: Readonly<Record<string, Act>> = {
  list: async () => true,
  suspend: (resource, { id }, reason) =>
    change(resource, Number(id), (values) =>
      isSuspendedByOperators(values) ? undefined : suspensionOf(values, reason),
    ),
  resume: (resource, { id }) =>
    change(resource, Number(id), (values) =>
      isSuspendedByOperators(values) ? resumptionOf(values) : undefined,
    ),
  remove: async (resource, item) => {
    const id = Number(item.id);
    const { kind } = await itemsOf(resource, SERVICE).remove(id, { answers: removalPuts(id, Date.now()) });
    // After a command that was killed, the function `webhooks` removes them when the next one is due.
    await removeRows(WAITING_TABLE, number(id));
    return kind === 'removed';
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
    const now = Date.now();
    const rowsOf = (): Put[] => [...(values.active === true ? [startPut(id, now)] : []), revisionPut()];
    const terms = { now, before, version: before.version, answersOf: async () => rowsOf() };
    const after = await itemsOf(resource, SERVICE).replace(id, values, terms);
    if (after.kind === 'written') return true;
  }
}

async function* itemsIn(resource: Resource): AsyncGenerator<Item> {
  for await (const row of itemRows(config.tableName(resource.name)))
    yield fromAttributes(descriptionOf(resource), row);
}

const isWanted = ({ id, createdBy, values }: Item, { ids, subject, suspended }: Wanted): boolean =>
  (ids.length === 0 || ids.includes(String(id))) &&
  (subject === undefined || createdBy === subject) &&
  (!suspended || values.status === 'suspended');

async function lineOf({ id, createdBy, values }: Item): Promise<string> {
  const { url, types, status, lastSuccess } = values;
  const last = typeof lastSuccess === 'number' ? new Date(lastSuccess).toISOString() : 'never';
  const { host } = new URL(String(url));
  return [id, createdBy ?? '-', host, [types].flat(), status, await waitingOf(Number(id)), last].join('  ');
}

/** Returns the number of events that wait for a subscription, and the age of the oldest. */
async function waitingOf(id: number): Promise<string> {
  const times = (await allWaiting(id, MOST_WAITING)).map(({ time }) => time);
  if (times.length === 0) return '0 waiting';
  const oldest = times.reduce((first, time) => Math.min(first, time));
  return `${times.length} waiting, the oldest for ${Math.max(0, Math.round((Date.now() - oldest) / 1000))} s`;
}
