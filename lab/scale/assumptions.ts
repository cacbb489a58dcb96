import { ASSUMED } from '../../tools/cost/assumptions.ts';
import { table } from '../table.ts';
import { PARTITION } from './simulator/model/partitions.ts';
import { RAMP_SECONDS, SECONDS, SIMULATED, SPLIT_SECONDS } from './simulator/scenarios.ts';

const DYNAMODB = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide';
const LAMBDA = 'https://docs.aws.amazon.com/lambda/latest/dg';
const GATEWAY = 'https://docs.aws.amazon.com/apigateway/latest/developerguide';

/** The limits of AWS in the simulator, with their pages. */
const PUBLISHED: readonly (readonly [what: string, value: string, page: string])[] = [
  ['requests of the account', '10,000 a second, 5,000 at once', `${GATEWAY}/limits.html`],
  [
    'tokens come back at the rate, up to the burst',
    'callers, methods, account',
    `${GATEWAY}/api-gateway-request-throttling.html`,
  ],
  [
    'concurrent executions',
    '1,000; an account without history has fewer',
    `${LAMBDA}/gettingstarted-limits.html`,
  ],
  ['requests of a function', 'ten a second for each of them', `${LAMBDA}/gettingstarted-limits.html`],
  [
    'new environments of a function',
    '1,000 in ten seconds, refilled all the time',
    `${LAMBDA}/scaling-behavior.html`,
  ],
  ['Lambda refuses a function behind API Gateway', '500', `${LAMBDA}/services-apigateway-errors.html`],
  [
    'a partition',
    `${PARTITION.read} read units and ${PARTITION.write} write units a second`,
    `${DYNAMODB}/bp-partition-key-design.html`,
  ],
  [
    'unused units of a partition',
    `kept for ${PARTITION.burstSeconds} s`,
    `${DYNAMODB}/burst-adaptive-capacity.html`,
  ],
  [
    'a new table or index',
    '12,000 reads and 4,000 writes a second; a simulation is too short for the doubling after 30 minutes',
    `${DYNAMODB}/on-demand-capacity-mode.html`,
  ],
  ['warm throughput', 'the units that a table has at once', `${DYNAMODB}/warm-throughput.html`],
  [
    'the firewall’s estimate of an address',
    'every 10 s, over 300 s; refused requests count',
    'https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based-high-level-settings.html',
  ],
  ['a table', '40,000 units a second of each kind', `${DYNAMODB}/ServiceQuotas.html`],
  ['an index that cannot follow', 'refuses the write of its table', `${DYNAMODB}/gsi-throttling.html`],
  [
    'a hot partition becomes two',
    'no time is published',
    'https://aws.amazon.com/blogs/database/part-3-scaling-dynamodb-how-partitions-hot-keys-and-split-for-heat-impact-performance/',
  ],
];

const links = PUBLISHED.map(([what, value, page]) => [
  what,
  value,
  `[${page.split('/').at(-1) || 'blog'}](${page})`,
]);

/** The last part of docs/scale.md. */
export const ASSUMPTIONS = `## Assumptions

${table(['limit', 'value', 'Source'], links)}

These are our own assumptions:

- One simulated request represents the rate ÷ ${SIMULATED} requests, with as many units, tokens and environments. A test compares
  one with ten.
- The load grows for ${RAMP_SECONDS} s and then stays, ${SECONDS / 60} minutes in all. Requests come at even distances that vary by half.
- A call takes ${ASSUMED.callMs.dynamodb} ms, up to half more or less, a function ${ASSUMED.ownMs} ms without its calls, a cold start ${ASSUMED.startMs} ms. Each request
  also runs the authorizer, which calls nothing.
- Callers are as many as needed, and spread evenly over the 16 keys. All of 1,000 items are as popular.
- A client that gets \`Retry-After\` waits as long and up to a second more, and repeats the request twice. A client that gets
  500 stops.
- A partition has no unused units at the start. It becomes two after ${SPLIT_SECONDS} s of heat, where its traffic divides in two. One
  key is never divided, and neither are rows of one key in the order of their creation.
- DynamoDB admits a call while the partition has a unit left. The units of a call can exceed it, and count later.
- Environments do not end, and know the inventories of the tables. On AWS each reads a row every ten seconds.
- Each environment has the SDK's budget for retries. Events, subscriptions and logs take nothing from the requests.
`;
