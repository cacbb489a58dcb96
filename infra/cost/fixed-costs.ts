import { registry } from '../../service/registry.ts';
import { schedules } from '../../service/schedules.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { Schedule } from '../../shared/resource/schedule.ts';
import { needsLog } from '../../shared/store/form/log-table.ts';
import type { Options } from '../options.ts';
import { dollars } from './prices.ts';

/** What a stack has by the month, in the units of prices. */
export type Stack = ReturnType<typeof stackOf>;

/**
 * Returns the fixed monthly cost of the stack of a service without requests: numbers of things that cost. A test counts all
 * of it in the template.
 */
export function stackOf(resources: readonly Resource[], schedules: readonly Schedule[] = []) {
  // The functions that call `onChange`. Three metrics in alarms watch each, and two watch their queue.
  const calls = resources.filter(({ onChange }) => onChange).length;
  // 1 if clients can subscribe to events. Two metrics watch the queue of dead letters, two the queues that are never late, two
  // each of the two functions, six each of the two tables.
  const subscribed = Number(resources.some(({ name }) => name === 'subscriptions'));
  return {
    /** Metrics in alarms. An alarm on the sum of ten metrics counts as ten. Four watch a function, and six its table. */
    alarmMetrics: resources.reduce(
      (sum, { table }) => sum + (table ? 10 : 4),
      54 +
        (calls && 3 * calls + 2) +
        (resources.some(({ history }) => history) ? 6 : 0) +
        (needsLog(resources) ? 6 : 0) +
        20 * subscribed +
        SCHEDULE_METRICS * schedules.length,
    ),
    /** Alarms that combine others. */
    compositeAlarms: 2,
    /** Metrics of the access log: the refused requests by status. */
    refusalMetrics: 3,
    dashboards: 1,
    /** Metrics in alarms of the basic observability: of all requests and functions, of late and of dead work. */
    basicMetrics: 7 + 3 * subscribed + (calls && 1) + (schedules.length > 0 ? 1 : 0),
    /** Functions with custom metrics, and the number of metrics of each. */
    measuredFunctions: 6 + resources.length + calls + 2 * subscribed + schedules.length,
    metricsEach: 6,
    /** Queues from which Lambda receives messages. */
    queues: 4 + 3 * subscribed + schedules.length,
    secrets: 1,
    /** Secrets that code needs. An operator creates them, so no template has them. */
    neededSecrets: new Set([...resources, ...schedules].flatMap(({ needs }) => needs?.secrets ?? [])).size,
    firewallRules: 4,
  };
}

/** Metrics that alarms watch for each schedule. */
const SCHEDULE_METRICS = 5;

/** The stack of this service. */
export const STACK: Stack = stackOf(registry, schedules);

/** Seconds of a month of 365 / 12 days. */
const MONTH = (365 / 12) * 24 * 3600;
/**
 * Lambda always has five requests of 20 s open at each queue. A concurrency limit does not reduce this number.
 *
 * Source: AWS Lambda Developer Guide, "Configuring scaling behavior for SQS event source mappings"; "Using Lambda with
 * Amazon SQS".
 */
const IDLE_REQUESTS = (5 * MONTH) / 20;

/** The options of a deployment that change its monthly cost. */
export interface Deployed {
  readonly observability: 'none' | 'basic' | 'full';
  /** True if the stack has a client for programs. */
  readonly program: boolean;
  readonly firewall: boolean;
  /** True if callers need a token. The stack then has a key for hashes of callers. */
  readonly closed: boolean;
}

/** Returns what the options of a deployment say about its monthly cost. */
export const deployedBy = ({
  observability,
  program,
  waf,
  auth,
}: Pick<Options, 'observability' | 'program' | 'waf' | 'auth'>): Deployed => ({
  observability,
  program: program !== 'none',
  firewall: waf !== 'none',
  closed: auth === 'token',
});

/** US dollars for one run of the sweeper of this service, which runs each minute. `npm run cost` counts it. */
export const SWEEP = 2.3e-6;

/** Returns monthly US dollars by purpose. `sweep`: the cost of one run of the sweeper. */
export function fixedCosts(
  { observability, firewall, closed, program }: Deployed,
  sweep: number = SWEEP,
  stack: Stack = STACK,
): Readonly<Record<string, number>> {
  const isFull = observability === 'full';
  return {
    'metrics of each resource': isFull
      ? dollars('metrics', stack.measuredFunctions * stack.metricsEach + stack.refusalMetrics)
      : 0,
    alarms: isFull
      ? dollars('alarmMetrics', stack.alarmMetrics) + dollars('compositeAlarms', stack.compositeAlarms)
      : dollars('alarmMetrics', observability === 'basic' ? stack.basicMetrics : 0),
    dashboard: isFull ? dollars('dashboards', stack.dashboards) : 0,
    'key of the hashes of callers': closed ? dollars('secrets', stack.secrets) : 0,
    'secrets that code needs': dollars('secrets', stack.neededSecrets),
    'asking empty queues': dollars('messages', stack.queues * IDLE_REQUESTS),
    'sweeper, each minute': (MONTH / 60) * sweep,
    '`program`, a client of the user pool': program ? dollars('programs', 1) : 0,
    WAF: firewall ? dollars('firewalls', 1) + dollars('firewallRules', stack.firewallRules) : 0,
    'encryption keys': 0,
  };
}
