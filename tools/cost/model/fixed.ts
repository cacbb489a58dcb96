import { dollars } from './prices.ts';

/** The fixed monthly cost of a stack without requests. A test counts all of it in the template. */
export const STACK = {
  /** Metrics that alarms watch: one that sums up ten is ten. */
  alarmMetrics: 98,
  dashboards: 1,
  /** Functions that keep metrics of their own, and how many each has. */
  measuredFunctions: 15,
  metricsEach: 6,
  /** Queues that Lambda asks for messages. */
  queues: 3,
  programs: 1,
  firewallRules: 2,
} as const;

/** Seconds of a month of 365 / 12 days. */
const MONTH = (365 / 12) * 24 * 3600;
/**
 * Lambda holds five requests open at each queue, of 20 s each; with a limit of its concurrency it does not take fewer.
 *
 * Source: AWS Lambda Developer Guide, "Configuring scaling behavior for SQS event source mappings"; "Using Lambda with
 * Amazon SQS".
 */
const IDLE_REQUESTS = (5 * MONTH) / 20;

/** How a stack is deployed, as far as that costs by the month. */
export interface Deployed {
  readonly metrics: boolean;
  readonly firewall: boolean;
  /** Its own user pool issues tokens, so many by the month. */
  readonly pool: boolean;
  readonly tokens: number;
}

/** US dollars by the month, by what they are for. `sweep`: what one look of the sweeper costs, each minute. */
export function fixedCosts(
  { metrics, firewall, pool, tokens }: Deployed,
  sweep: number,
): Readonly<Record<string, number>> {
  return {
    'metrics of each resource': metrics ? dollars('metrics', STACK.measuredFunctions * STACK.metricsEach) : 0,
    alarms: dollars('alarmMetrics', STACK.alarmMetrics),
    dashboard: dollars('dashboards', STACK.dashboards),
    'a program that gets tokens of the user pool': pool ? dollars('programs', STACK.programs) : 0,
    tokens: pool ? dollars('tokens', tokens) : 0,
    'asking empty queues': dollars('messages', STACK.queues * IDLE_REQUESTS),
    'sweeper, each minute': (MONTH / 60) * sweep,
    WAF: firewall ? dollars('firewalls', 1) + dollars('firewallRules', STACK.firewallRules) : 0,
    'encryption keys': 0,
  };
}
