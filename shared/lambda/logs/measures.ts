import { config } from '../../aws/config.ts';
import type { Usage } from '../../aws/meter.ts';

/** The CloudWatch namespace of the service's own metrics. */
export const NAMESPACE = 'ResourceApi';

/** The measurements of one invocation. `duration` in ms. */
export interface Measured {
  readonly service: string;
  readonly resource: string;
  readonly duration: number;
  readonly coldStart: boolean;
  readonly failed: boolean;
  readonly usage: Usage;
}

const UNITS = {
  Requests: 'Count',
  Failures: 'Count',
  ColdStarts: 'Count',
  Duration: 'Milliseconds',
  ReadUnits: 'Count',
  WriteUnits: 'Count',
} as const;

const NAMES = Object.keys(UNITS) as (keyof typeof UNITS)[];

/**
 * Metrics as properties of a log line. CloudWatch extracts them, so the function makes no call for them. A metric of
 * zero is left out: sums are the same without it, and the line is shorter.
 *
 * Source: Amazon CloudWatch User Guide, "Specification: Embedded metric format".
 */
export function embeddedMetrics(
  { service, resource, duration, coldStart, failed, usage }: Measured,
  now: number,
): Record<string, unknown> {
  const values: Record<keyof typeof UNITS, number> = {
    Requests: 1,
    Failures: Number(failed),
    ColdStarts: Number(coldStart),
    Duration: rounded(duration),
    ReadUnits: usage.readUnits,
    WriteUnits: usage.writeUnits,
  };
  const present = NAMES.filter((name) => values[name] !== 0);
  const Metrics = present.map((Name) => ({ Name, Unit: UNITS[Name] }));
  return {
    _aws: {
      Timestamp: now,
      CloudWatchMetrics: [{ Namespace: NAMESPACE, Dimensions: [['service', 'resource']], Metrics }],
    },
    service,
    resource,
    ...Object.fromEntries(present.map((name) => [name, values[name]])),
  };
}

/** The comparisons that removed nothing because they would have removed too much: their log lines, and the metric. */
export const COMPARISON_STOPPED = { event: 'comparison-stopped', metric: 'ComparisonsStopped' } as const;

/** Returns one occurrence as properties of a log line. `now`: ms since the epoch. */
export function countMetric(name: string, now: number): Record<string, unknown> {
  const service = config.service();
  if (service === undefined) return {};
  const metrics = {
    Namespace: NAMESPACE,
    Dimensions: [['service']],
    Metrics: [{ Name: name, Unit: 'Count' }],
  };
  return { _aws: { Timestamp: now, CloudWatchMetrics: [metrics] }, service, [name]: 1 };
}

/**
 * Returns the value of `Server-Timing`: the total time, each engine with its number of calls and their total time,
 * DynamoDB's units, and whether it was a cold start.
 *
 * Source: W3C Server Timing §3.
 */
export function serverTiming({
  duration,
  coldStart,
  usage,
}: Pick<Measured, 'duration' | 'coldStart' | 'usage'>): string {
  const engines = [...usage.calls].map(
    ([engine, { count, ms }]) =>
      `${engine};dur=${rounded(ms)};desc="${count} ${count === 1 ? 'call' : 'calls'}"`,
  );
  const units = [
    ...(usage.readUnits > 0 ? [`read-units;desc="${usage.readUnits}"`] : []),
    ...(usage.writeUnits > 0 ? [`write-units;desc="${usage.writeUnits}"`] : []),
  ];
  return [`total;dur=${rounded(duration)}`, ...engines, ...units, ...(coldStart ? ['cold-start'] : [])].join(
    ', ',
  );
}

/** Rounds to a tenth of a millisecond. */
const rounded = (ms: number): number => Math.round(ms * 10) / 10;
