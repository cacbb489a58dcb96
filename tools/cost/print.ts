import { App } from 'aws-cdk-lib';
import { deployedBy, fixedCosts } from '../../infra/cost/fixed-costs.ts';
import { PRICED, usd } from '../../infra/cost/prices.ts';
import type { Options } from '../../infra/options.ts';
import { readContext } from '../../infra/read-context.ts';
import { startService, type TestService } from '../../local/testing.ts';
import { DEFAULT_SHARDS } from '../../shared/aws/config.ts';
import { configureLog } from '../../shared/aws/log.ts';
import { Smoke } from '../smoke/smoke.ts';
import { UserError } from '../user-error.ts';
import { ASSUMED } from './assumptions.ts';
import { billOf, totalOf } from './bill.ts';
import { count } from './count.ts';

const MILLION = 1_000_000;
/** Items in a list whose page is counted. */
const LISTED = 25;

/** A request with its price: US dollars for a million. */
type Row = readonly [request: string, price: number];

function optionsIn(context: Record<string, unknown>): Options {
  try {
    return readContext(new App({ context }).node);
  } catch (error) {
    throw new UserError((error as Error).message);
  }
}

/** Prints the costs of this service with the options of a context. @throws UserError for options that are not valid */
export async function printCosts(context: Record<string, unknown>): Promise<void> {
  const options = optionsIn(context);
  // Log lines as long as those of the deployment, and as many partitions of a list.
  Object.assign(process.env, {
    SERVICE: options.name,
    SHARDS: String(options.shards ?? DEFAULT_SHARDS),
    METRICS: String(options.observability === 'full'),
  });
  console.log(`List prices of ${PRICED.region}, ${PRICED.month}. docs/cost.md has the assumptions.\n`);
  const costs = Object.entries(fixedCosts(deployedBy(options))).filter(([, cost]) => cost > 0);
  const total = costs.reduce((sum, [, cost]) => sum + cost, 0);
  print([['$ a month without requests', total], ...costs.map(([name, cost]): Row => [`  ${name}`, cost])]);
  configureLog(() => {});
  await using service = await startService();
  const rows = await countAll(service, options);
  console.log();
  print([['$ for a million requests', Number.NaN], ...rows]);
}

/** Counts the requests to each collection whose items a client can create and remove. */
async function countAll(service: TestService, options: Options): Promise<readonly Row[]> {
  const smoke = await Smoke.at(service.url);
  const assumed = {
    ...ASSUMED,
    architecture: options.architecture,
    authorized: options.auth === 'token',
    knownCallers: options.pages ? 0 : 0.9,
    firewall: options.waf !== 'none',
    tracing: options.tracing,
  };
  const rows: Row[] = [];
  const add = async (method: string, template: string, path = template, json?: unknown) => {
    const headers: Record<string, string> =
      method === 'PATCH' ? { 'Content-Type': 'application/merge-patch+json' } : {};
    const { answer, counted, eventsLine } = await count(service, () =>
      smoke.send(method, path, json === undefined ? { headers } : { headers, json }),
    );
    const audited = method === 'GET' ? 0 : 1;
    const bill = billOf({ ...counted, audited }, assumed, eventsLine);
    if (answer.status < 400) rows.push([`${method} ${template}`, MILLION * totalOf(bill)]);
    return answer;
  };
  for (const collection of smoke.drafts.collections)
    try {
      await countCollection(smoke, service, collection, add);
    } catch (error) {
      rows.push([`POST ${collection}: not counted. ${(error as Error).message.slice(0, 200)}`, Number.NaN]);
    }
  return rows;
}

type Add = (method: string, template: string, path?: string, json?: unknown) => Promise<unknown>;

async function countCollection(
  smoke: Smoke,
  service: TestService,
  collection: string,
  add: Add,
): Promise<void> {
  const item = await smoke.create('first', collection);
  for (let made = 1; made < LISTED; made += 1) await smoke.create(`item-${made}`, collection);
  const { path, json } = await smoke.draft('new', collection);
  await service.settled();
  await add('POST', collection, path, json);
  await add('GET', `${collection}?limit=${LISTED}`);
  await add('GET', `${collection}/{id}`, item);
  await add('PATCH', `${collection}/{id}`, item, smoke.drafts.changeOf(collection, smoke.name('changed')));
  for (const action of smoke.drafts.actionsOf(collection)) {
    const one = await smoke.create('acted', collection);
    await service.settled();
    await add('POST', action, `${one}/${action.split('/').at(-1)}`);
  }
  await add('DELETE', `${collection}/{id}`, item);
}

function print(rows: readonly Row[]): void {
  const width = Math.max(...rows.flatMap(([name, value]) => (Number.isNaN(value) ? [] : [name.length])));
  for (const [name, value] of rows)
    console.log(Number.isNaN(value) ? name : `${name.padEnd(width)} ${usd(value).padStart(8)}`);
}
