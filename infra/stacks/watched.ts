import { CfnOutput, type Stack } from 'aws-cdk-lib';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { capitalize } from '../../shared/resource/description/fields.ts';
import type { Background } from '../constructs/functions/background.ts';
import type { Changes } from '../constructs/functions/changes.ts';
import type { Events } from '../constructs/functions/events.ts';
import { lambdasOf, type WithFunction } from '../constructs/functions/live-aliases.ts';
import type { Schedules } from '../constructs/functions/schedules.ts';
import type { Uploads } from '../constructs/functions/uploads.ts';
import type { Webhooks } from '../constructs/functions/webhooks.ts';
import type { OperationsQueue } from '../constructs/stores/queue.ts';
import type { Tables } from '../constructs/stores/tables.ts';
import type { Watched } from '../constructs/watch/conditions.ts';

/** The parts of a service that work in the background, and its tables. */
interface Parts {
  readonly queues: OperationsQueue;
  readonly tables: Tables;
  readonly events: Events;
  readonly background: Background;
  /** Only a service with bytes, with subscriptions or with `onChange` has these. */
  readonly uploads: Uploads | undefined;
  readonly webhooks: Webhooks | undefined;
  readonly changes: Changes | undefined;
  /** Only a service with schedules has these. */
  readonly timed: Schedules | undefined;
  /** The function of the audit log by its name. */
  readonly audited: Readonly<Record<string, Lambda>>;
}

/** Returns what the alarms and the dashboard watch. A message in `waiting` is late after so many seconds. */
export const watchedParts = (
  served: ReadonlyMap<string, WithFunction>,
  { queues, tables, events, background, uploads, webhooks, changes, timed, audited }: Parts,
): Watched => ({
  served: [...lambdasOf(served).values()],
  background: {
    ...background.functions,
    events: events.lambda,
    ...(uploads && { uploads: uploads.lambda }),
    ...webhooks?.functions,
    ...audited,
    ...changes?.functions,
    ...timed?.functions,
  },
  changes: Object.values(changes?.functions ?? {}),
  tables: tables.all,
  waiting: {
    operations: { queues: [queues.queue], late: 900 },
    ...(uploads && { uploads: { queues: [uploads.queue], late: 1800 } }),
    ...(uploads?.large && { 'large-uploads': { queues: [uploads.large], late: 7200 } }),
    ...(webhooks && { webhooks: { queues: webhooks.quick, late: 300 } }),
    ...(timed && { schedules: { queues: timed.queues, late: 3600 } }),
  },
  dead: {
    operations: queues.deadLetters,
    ...(uploads && { uploads: uploads.dead }),
    events: events.dead,
    ...(webhooks && { webhooks: webhooks.dead }),
    ...(changes && { changes: changes.dead }),
    ...(timed && { schedules: timed.dead }),
  },
});

/** Adds an output for each queue of work that failed for good. */
export function nameDeadLetters(stack: Stack, { dead }: Watched): void {
  for (const [name, { queueUrl: value }] of Object.entries(dead))
    new CfnOutput(stack, `Dead${capitalize(name)}`, {
      value,
      description: `Where ${name} are that failed for good`,
    });
}
