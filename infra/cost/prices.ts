/** A list price: US dollars for `per` units. */
export interface Price {
  readonly usd: number;
  readonly per: number;
  readonly unit: string;
  /** The page of AWS with this price. */
  readonly source: string;
}

/** Region and month of the list prices. A person entered them by hand, and no program updates them. */
export const PRICED = { region: 'us-east-1', month: '2026-11' } as const;

const MILLION = 1_000_000;
/** Bytes of a GB in AWS prices of storage, logs and transfer. */
export const GIGABYTE = 1024 ** 3;

const price = (usd: number, per: number, unit: string, page: string): Price => ({
  usd,
  per,
  unit,
  source: `https://aws.amazon.com/${page}`,
});

const GATEWAY = 'api-gateway/pricing/';
const LAMBDA = 'lambda/pricing/';
const DYNAMODB = 'dynamodb/pricing/on-demand/';
const S3 = 's3/pricing/';
const SQS = 'sqs/pricing/';
const CLOUDWATCH = 'cloudwatch/pricing/';
const WAF = 'waf/pricing/';
const COGNITO = 'cognito/pricing/';

/** The first tier of each price, without free tiers. The model leaves out all other prices. */
export const PRICES = {
  gatewayRequests: price(3.5, MILLION, 'requests to the REST API', GATEWAY),
  invocations: price(0.2, MILLION, 'invocations of functions', LAMBDA),
  armSeconds: price(0.0000133334, 1, 'GB-seconds of functions, arm64', LAMBDA),
  x86Seconds: price(0.0000166667, 1, 'GB-seconds of functions, x86_64', LAMBDA),
  readUnits: price(0.125, MILLION, 'read request units', DYNAMODB),
  writeUnits: price(0.625, MILLION, 'write request units', DYNAMODB),
  itemStorage: price(0.25, 1, 'GB-months of tables and indexes', DYNAMODB),
  recoveryStorage: price(0.2, 1, 'GB-months of point-in-time recovery', DYNAMODB),
  tableExport: price(0.1, 1, 'GB of a table exported to S3', DYNAMODB),
  objectWrites: price(0.005, 1000, 'PUT, COPY, POST and LIST requests to S3', S3),
  objectReads: price(0.0004, 1000, 'GET and HEAD requests to S3', S3),
  objectStorage: price(0.023, 1, 'GB-months of S3 Standard', S3),
  archiveStorage: price(0.0036, 1, 'GB-months of S3 Glacier Flexible Retrieval', S3),
  messages: price(0.4, MILLION, 'requests to SQS, 64 KB each', SQS),
  fairMessages: price(0.1, MILLION, 'requests to SQS with a group, in addition', SQS),
  events: price(1, MILLION, 'events put on a bus, 64 KB each', 'eventbridge/pricing/'),
  logs: price(0.5, 1, 'GB of log lines', CLOUDWATCH),
  logStorage: price(0.03, 1, 'GB-months of compressed logs', CLOUDWATCH),
  metrics: price(0.3, 1, 'metrics of one’s own, by month', CLOUDWATCH),
  alarmMetrics: price(0.1, 1, 'metrics in alarms, by month', CLOUDWATCH),
  compositeAlarms: price(0.5, 1, 'composite alarms, by month', CLOUDWATCH),
  dashboards: price(3, 1, 'dashboards, by month', CLOUDWATCH),
  transfer: price(0.09, 1, 'GB to the internet', 'ec2/pricing/on-demand/'),
  traces: price(5, MILLION, 'traces recorded', 'xray/pricing/'),
  firewalls: price(5, 1, 'web ACLs, by month', WAF),
  firewallRules: price(1, 1, 'rules of a web ACL, by month', WAF),
  firewallRequests: price(0.6, MILLION, 'requests looked at by WAF', WAF),
  programs: price(6, 1, 'programs that get tokens (app clients), by month', COGNITO),
  secrets: price(0.4, 1, 'secrets, by month', 'secrets-manager/pricing/'),
  tokens: price(2.25, 1000, 'tokens issued to programs', COGNITO),
} as const satisfies Readonly<Record<string, Price>>;

export type PriceName = keyof typeof PRICES;

/** US dollars for a number of units. */
export const dollars = (name: PriceName, units: number): number =>
  (PRICES[name].usd * units) / PRICES[name].per;

/** Formats US dollars: with cents, or with three digits if the value is below one cent. */
export function usd(value: number): string {
  if (value === 0) return '0';
  if (value < 0.01) return value.toPrecision(1);
  if (value < 100) return value.toFixed(2);
  return Math.round(value).toLocaleString('en');
}
