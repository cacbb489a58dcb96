import { OPTIONS } from '../../../infra/options.ts';
import { DEFAULT_SHARDS } from '../../../shared/aws/config.ts';
import type { Backlog } from './log.ts';
import type { Deployment, Load } from './simulate.ts';

/** The options without a value, in an account with the quotas of docs/cost.md. */
export const DEFAULTS: Deployment = {
  rateLimit: OPTIONS.rateLimit.otherwise,
  burstLimit: OPTIONS.burstLimit.otherwise,
  callerRateLimit: OPTIONS.callerRateLimit.otherwise,
  shards: DEFAULT_SHARDS,
  gateway: { rate: 10_000, burst: 5000 },
  concurrency: 1000,
  tables: { warm: { read: 0, write: 0 }, quota: 40_000 },
};

/** Requests a second, and what an operator sets for them. */
const RECOMMENDED: Readonly<Record<number, Partial<Deployment>>> = {
  1000: { rateLimit: 1000, burstLimit: 2000, callerRateLimit: 200 },
  10000: {
    rateLimit: 10_000,
    burstLimit: 10_000,
    callerRateLimit: 2000,
    gateway: { rate: 20_000, burst: 10_000 },
    concurrency: 3000,
    tables: { warm: { read: 40_000, write: 40_000 }, quota: 40_000 },
  },
  50000: {
    rateLimit: 50_000,
    burstLimit: 50_000,
    callerRateLimit: 10_000,
    shards: 16,
    gateway: { rate: 100_000, burst: 50_000 },
    concurrency: 10_000,
    tables: { warm: { read: 120_000, write: 40_000 }, quota: 160_000 },
  },
};
/** The options for so many requests a second. */
export const recommendedFor = (rate: number): Partial<Deployment> => RECOMMENDED[rate] ?? {};
export const RATES = Object.keys(RECOMMENDED).map(Number);

/** Simulated requests a second. Together they represent all. */
export const SIMULATED = 100;
export const RAMP_SECONDS = 30;
export const SECONDS = 300;
/** DynamoDB publishes no time after which a hot partition becomes two. */
export const SPLIT_SECONDS = 120;
const SEED = 1;

export const loadOf = (rate: number, deployment: Deployment): Load => ({
  deployment,
  rate,
  rampSeconds: RAMP_SECONDS,
  seconds: SECONDS,
  weight: rate / SIMULATED,
  splitSeconds: SPLIT_SECONDS,
  seed: SEED,
});

const SETTLED = { read: 0, write: 64_000 };
const CHANGES = 12_000;
/** The backlogs of changes: the partitions of a new log, and of one that DynamoDB has split as far as it can. */
export const BACKLOGS: readonly Backlog[] = [
  { changes: CHANGES, warm: SETTLED, shards: 4, eventWorkers: 1, seed: SEED },
  { changes: CHANGES, warm: { read: 0, write: 0 }, shards: 4, eventWorkers: 10, seed: SEED },
  { changes: CHANGES, warm: SETTLED, shards: 4, eventWorkers: 10, seed: SEED },
];
