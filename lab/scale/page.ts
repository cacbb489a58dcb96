import { cpus } from 'node:os';
import { ADDRESS_SECONDS } from '../../infra/gateway/throttling.ts';
import { OPTIONS } from '../../infra/options.ts';
import { table } from '../table.ts';
import { ASSUMPTIONS } from './assumptions.ts';
import type { Items, Pair } from './items/measure.ts';
import type { Result, Simulated } from './result.ts';
import { guarded } from './simulator/model/firewall.ts';
import { DEFAULTS, recommendedFor } from './simulator/scenarios.ts';

/** The most that a value may grow between the small store and the large one. */
const MOST_GROWTH = 1.1;

const count = (value: number): string => Math.round(value).toLocaleString('en');
const percent = (share: number): string => `${(100 * share).toFixed(share > 0.995 && share < 1 ? 2 : 0)} %`;

/** What limits a load, and what moves the limit. `*` is any table. */
const LIMITS: readonly (readonly [what: RegExp, name: string, option: string])[] = [
  [/^API Gateway: caller/, 'the keys of callers', '`callerRateLimit`'],
  [/^API Gateway: method/, 'the limit of a method', '`rateLimit`, `burstLimit`'],
  [/^API Gateway: account/, 'the requests of the account', 'quota of API Gateway'],
  [/^Lambda: growth/, 'new environments', 'provisioned concurrency'],
  [/^Lambda: /, 'environments of the account', 'quota of Lambda'],
  [/^by_id of .*: partition, read/, 'reads at the end of the list', 'none: the hot key of the list'],
  [/^by_.*: partition, write/, 'writes of an index', '`shards`'],
  [/: table/, 'the throughput of a new table', 'warm throughput, quota of DynamoDB'],
  [/: partition/, 'a partition', 'warm throughput'],
];

function limitOf(what: string): readonly [name: string, option: string] {
  const [, name = what, option = ''] = LIMITS.find(([pattern]) => pattern.test(what)) ?? [];
  return [name, option];
}

/**
 * The limits that a load has met, the first one first. Those that refuse less than one request in a thousand count as none.
 */
function limitsOf({
  load,
  outcome,
}: Simulated): readonly (readonly [name: string, option: string, from: number])[] {
  const found = Object.entries(outcome.refusals).filter(([, { rate }]) => rate > load.rate / 1000);
  return found.map(([what, { from }]) => {
    const [name, option] = limitOf(what);
    return [name, option, load.rate * Math.min(1, from / 1000 / load.rampSeconds)];
  });
}

function happens(one: Simulated): string {
  const { bins, busy, first } = one.outcome;
  const last = bins.slice(-12);
  const mean = (of: (bin: (typeof last)[number]) => number) =>
    last.reduce((sum, bin) => sum + of(bin), 0) / last.length;
  const ok = mean(({ answers }) => answers.ok ?? 0);
  const limits = limitsOf(one).map(([name, , from], at) =>
    `${name} ${at === 0 ? `from ${count(from)} requests a second` : ''}`.trim(),
  );
  const met = [...new Set(limits)].join(', then ');
  return [
    `${percent(first)} succeed at once, ${count(ok)} a second in the last minute,`,
    `p50 ${count(mean(({ p50 }) => p50))} ms, p99 ${count(mean(({ p99 }) => p99))} ms, ${count(busy)} environments.`,
    met === '' ? 'No limit is met.' : `Limits: ${met}.`,
  ].join(' ');
}

/** The options that differ from the defaults. */
function optionsOf(rate: number): string {
  const { gateway, concurrency, tables, ...options } = recommendedFor(rate);
  return [
    ...Object.entries(options).map(([name, value]) => `\`${name}=${value}\``),
    ...(gateway ? [`quota of API Gateway ${count(gateway.rate)}/s`] : []),
    ...(concurrency ? [`quota of Lambda ${count(concurrency)}`] : []),
    ...(tables
      ? [`warm throughput ${count(tables.warm.read)} reads, ${count(tables.warm.write)} writes`]
      : []),
    ...(tables && tables.quota !== DEFAULTS.tables.quota
      ? [`quota of DynamoDB ${count(tables.quota)}/s`]
      : []),
  ].join(', ');
}

function loadsTable(simulated: readonly Simulated[]): string {
  const rows = simulated.map((one) => {
    const { kind, load } = one;
    const options = [...new Set(limitsOf(one).map(([, option]) => option))];
    const set = kind === 'defaults' ? options.join('; ') : `set: ${optionsOf(load.rate)}`;
    const lists = load.lists === undefined ? '' : `, lists ${percent(load.lists)} of reads`;
    return [
      `${count(load.rate)}${lists}`,
      happens(one),
      kind === 'options' && options.length > 0 ? `${set}. What is left: ${options[0]}` : set,
    ];
  });
  return table(['requests a second', 'what happens', 'which option to set'], rows);
}

function logTable(drained: NonNullable<Result['drained']>): string {
  const rows = drained.map(({ backlog, outcome }) => [
    String(backlog.eventWorkers),
    backlog.warm.write > 0 ? 'each of the four keys in its own' : 'those of a new table',
    count(outcome.rate),
    count(Object.values(outcome.refusals).reduce((sum, { rate }) => sum + rate, 0)),
  ]);
  return table(['`eventWorkers`', 'partitions of the log', 'changes a second', 'refused calls'], rows);
}

/** Loads of one address: an office behind one, and floods. */
const ADDRESSES: readonly (readonly [what: string, rate: number, hasToken: boolean])[] = [
  ['50 callers with tokens, each at its limit', 50 * OPTIONS.callerRateLimit.otherwise, true],
  ['people before the sign-in, and programs that watch `/health`', 150, false],
  ['a flood without a token', 300, false],
  ['a flood without a token', 10_000, false],
];
const ADDRESS_MINUTES = 30;

/** What the firewall does with the requests of one address, by default. */
function firewallTable(): string {
  const limit = { limit: OPTIONS.addressRateLimit.otherwise, windowSeconds: ADDRESS_SECONDS };
  const rows = ADDRESSES.map(([what, rate, hasToken]) => {
    const { passed, refusedFrom } = guarded(limit, { rate, hasToken, seconds: 60 * ADDRESS_MINUTES });
    return [what, count(rate), percent(passed), refusedFrom === undefined ? '' : `${count(refusedFrom)} s`];
  });
  return table(['one address', 'requests a second', 'pass in 30 minutes', 'refused from'], rows);
}

const fastest = (drained: NonNullable<Result['drained']>): string =>
  count(Math.max(0, ...drained.map(({ outcome }) => outcome.rate)));

function itemsTable({ store, items: [few, many], fillSeconds, taken }: Items): string {
  const ratio = ([small, large]: Pair, unit: string) => {
    const grown = large / small;
    const shown = (value: number) =>
      value.toLocaleString('en', { maximumFractionDigits: unit === '' ? 2 : 0 });
    return `${shown(small)} → ${shown(large)}${unit}: ${grown > MOST_GROWTH ? `**× ${grown.toFixed(2)}**` : `× ${grown.toFixed(2)}`}`;
  };
  const rows = taken.map(({ name, units, microseconds }) => [
    name,
    ratio(units, ''),
    ratio(microseconds, ' µs'),
  ]);
  return `### ${store === 'embedded' ? 'The embedded store' : store}: ${count(few)} and ${count(many)} items

${table(['request', 'units', 'processor time'], rows)}

The command filled the large store in ${count(fillSeconds)} s (${count(many / fillSeconds)} items a second).`;
}

/** The page docs/scale.md. */
export function page({ items = [], simulated = [], drained = [] }: Result): string {
  const curves = [...new Set(simulated.map(({ load }) => load.rate))].map(
    (rate) =>
      `### ${count(rate)} requests a second\n\n![Answers by status and their time](scale/${rate}.svg)`,
  );
  return `# Scale

Written by \`npm run lab -- scale\` on Node ${process.versions.node}, ${cpus().length} cores. Nothing here ran on AWS: a simulator runs the
handlers of the service on a virtual clock, against the limits that AWS publishes. Its result is the same in each run.

## What happens under load

All requests go to one resource, with the mix of [cost.md](cost.md). The second row of each load has the options that the
third column names.

${loadsTable(simulated)}

- **The first page of a list is a hot key.** Each page reads half a unit at the end of each shard, and a partition has 3,000
  units a second. A list therefore serves at most 6,000 first pages a second, with any number of \`shards\`. No option
  changes this. Lists below other items, filters and further pages have other keys.
- **Refused reads fill the environments.** The SDK repeats a refused call, and the function waits for up to 2 s. The
  environments of all requests then run out, also of those that read single items.
- **The limits of callers come first.** The callers share 16 keys, so all of them together have 16 × \`callerRateLimit\`:
  1,600 requests a second without options.

## The firewall

With \`waf=count\` or \`waf=block\`, the firewall counts the requests of an address that carry no token. Above
\`addressRateLimit\` in ${ADDRESS_SECONDS} s, it refuses them with 429, also while they go on. Requests with a token have the limits of
their callers alone:

${firewallTable()}

## The log of changes

Each write of a resource with history adds a row to the log. The log has four partition keys for a resource, so all its
writes meet in four places: a row takes two units in a transaction, and a partition has 1,000 units a second.
**Above ${fastest(drained)} writes a second of one resource, the log falls behind**, and with it events, subscriptions and
\`/changes\`. The answers to writers do not wait for it. No option changes the number of keys. More \`eventWorkers\` bring
the log to the limit of its keys. In this table, the events function takes the changes that wait in four shards of the
stream:

${logTable(drained)}

## Curves

${curves.join('\n\n')}

## A thousand and a million items

The service's own code makes each row: an item in its second version, its entries in all indexes, and its first version.
Units are those that DynamoDB reports. Processor time is that of the shortest of several rounds, which alternate between
both stores: with the embedded store of the whole process, with DynamoDB Local of its process alone. A ratio above
${MOST_GROWTH.toFixed(2)} is bold. DynamoDB Local is a program for developers, so its time says nothing about DynamoDB.

${items.map(itemsTable).join('\n\n')}

${ASSUMPTIONS}`;
}
