import { noUsage } from '../../shared/aws/meter.ts';
import { embeddedMetrics } from '../../shared/lambda/logs/measures.ts';

/**
 * Assumptions about values that only a deployment shows. Times are in ms, typical for CloudWatch metrics of such a
 * service in one region. None of them is measured here, so a bill is the same on every machine.
 */
export interface Assumptions {
  /** Share of requests that API Gateway authorizes from its cache of five minutes: 0 with the sign-in on pages. */
  readonly knownCallers: number;
  /** Time of a function without its calls, and time of each call of an engine. */
  readonly ownMs: number;
  readonly callMs: Readonly<Record<Engine, number>>;
  /** Share of cold starts, and the time of one. */
  readonly coldShare: number;
  readonly startMs: number;
  /** Requests whose changes share one invocation of the events function: 1 for a service with little load. */
  readonly handedOverAtOnce: number;
  /** Reads of an operation's status by its client before the operation ends. */
  readonly polls: number;
  /** Bytes that API Gateway adds to a response: the status line and its own header fields. */
  readonly gatewayBytes: number;
  /** Share of requests that X-Ray records by its default rule. */
  readonly traced: number;
  readonly architecture: 'arm64' | 'x86_64';
  readonly authorized: boolean;
  readonly firewall: boolean;
  readonly tracing: boolean;
}

/** The engines that a function waits for. */
export type Engine = 'dynamodb' | 's3' | 'sqs' | 'eventbridge';

/** The assumptions for a stack without options. The sign-in on pages makes each request ask the authorizer. */
export const ASSUMED: Assumptions = {
  knownCallers: 0,
  ownMs: 4,
  callMs: { dynamodb: 6, s3: 25, sqs: 10, eventbridge: 15 },
  coldShare: 0.005,
  startMs: 400,
  handedOverAtOnce: 1,
  polls: 2,
  gatewayBytes: 350,
  traced: 0.05,
  architecture: 'arm64',
  authorized: true,
  firewall: false,
  tracing: false,
};

/** Billed bytes of a log line in addition to its text. Source: Amazon CloudWatch Logs API Reference, PutLogEvents. */
export const LINE_OVERHEAD = 26;

/** A line of the audit log. */
export const AUDIT_LINE = JSON.stringify({
  level: 'info',
  time: '2026-11-21T10:10:29.145Z',
  requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
  caller: '9f86d081884c7d659a2feaa0c55ad015',
  method: 'PATCH',
  template: '/members/{id}',
  status: 200,
  resource: 'members',
  id: 114811818447734,
});

/** A line of API Gateway's access log, with the properties that the stack configures. */
export const ACCESS_LINE = JSON.stringify({
  requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
  method: 'PATCH',
  template: '/members/{id}',
  status: '200',
  bytes: '1000',
  latency: '25',
  integrationLatency: '20',
  integrationStatus: '200',
  authorizerLatency: '10',
  refusal: '-',
});

/** A line of the authorizer's log. */
export const JUDGEMENT_LINE = JSON.stringify({
  level: 'info',
  requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
  ...embeddedMetrics(
    {
      service: 'resource-api',
      resource: 'authorizer',
      duration: 2.5,
      coldStart: false,
      failed: false,
      usage: noUsage(),
    },
    1_795_255_829_113,
  ),
  calls: {},
});

/** Billed bytes of a log line. */
export const lineBytes = (text: string): number => Buffer.byteLength(text) + LINE_OVERHEAD;
