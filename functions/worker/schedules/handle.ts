import { send } from '../../../shared/aws/clients/queue.ts';
import { currentTime } from '../../../shared/aws/clock.ts';
import { config } from '../../../shared/aws/config.ts';
import { orUnavailable } from '../../../shared/aws/faults.ts';
import { faultOf, log } from '../../../shared/aws/log.ts';
import { problem, Unavailable } from '../../../shared/http/problem.ts';
import { retriedLater, type Times } from '../../../shared/lambda/retried.ts';
import { CRASHES, change, holdsLease, LEASE, LEASE_UNTIL } from '../../../shared/operations/record/record.ts';
import { EachRun, LONGEST_RUN, type ResumableCode } from '../../../shared/operations/running/each-run.ts';
import { type End, failureWith, finish } from '../../../shared/operations/running/finish.ts';
import { SERVICE } from '../../../shared/resource/access/owner.ts';
import { latestTime } from '../../../shared/resource/planned-times.ts';
import type { Schedule } from '../../../shared/resource/schedule.ts';
import { number } from '../../../shared/store/form/attributes.ts';
import { type Claimed, claim, release, renew } from '../claim.ts';
import { beginRun, type RunMessage, sendRun, takeTurn } from './turn.ts';

/** Attempts without progress after which a run has failed. Source: Specification 21.5. */
const ATTEMPTS = 3;
/** What a request without an answer would get. Source: RFC 9110 §15.3.5. */
const NO_CONTENT = 204;
/** Renewals of a lease in its duration. */
const RENEWALS_PER_LEASE = 3;

/**
 * Returns the Lambda handler of the queue of a schedule. It begins the run of a planned time once, waits while an earlier run
 * has not ended, and goes on with a run that another invocation has left. `settings`: reads what `needs` names.
 */
export const scheduleHandler = (schedule: Schedule, settings: object | undefined) =>
  retriedLater(
    () => config.scheduleQueue(schedule.name),
    async ({ body }, times) => {
      const message: RunMessage = JSON.parse(body);
      const time = 'tick' in message ? latestTime(schedule.when, Date.parse(message.tick)) : message.time;
      const id = await beginRun(schedule, time);
      if (!(await takeTurn(schedule.name, id))) return sendRun(schedule.name, time, 'waits');
      await run({ schedule, settings, time, id }, times);
    },
  );

/** A run of a schedule. */
interface Begun {
  readonly schedule: Schedule;
  readonly settings: object | undefined;
  readonly time: number;
  readonly id: number;
}

/** Runs the code until its end, the end of the time of this invocation, or an error. @throws Error to try again */
async function run(begun: Begun, { deadline }: Times): Promise<void> {
  const { schedule, time, id } = begun;
  const claimed = await claim(id, deadline);
  // It has ended, or another invocation runs it.
  if (!claimed) return;
  const { work } = claimed;
  const beat = setInterval(() => renew(work).catch(() => undefined), config.leaseTime() / RENEWALS_PER_LEASE);
  try {
    const end = await endOf(begun, claimed);
    if (end) await finish(id, end, { kind: 'lease', lease: work.lease });
    else {
      await release(work, currentTime());
      await sendRun(schedule.name, time);
    }
  } catch (error) {
    if (error instanceof Unavailable) await release(work, currentTime()).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(beat);
  }
}

/** Returns the end of the run; undefined if another invocation goes on. @throws Error to try again */
async function endOf({ schedule, settings, time, id }: Begun, claimed: Claimed): Promise<End | undefined> {
  const { work, crashes, canceled, item } = claimed;
  if (canceled) return { status: 'Canceled' };
  if (crashes >= ATTEMPTS) return givenUp(schedule, time, claimed);
  if (currentTime() - Number(item.values.startedAt ?? item.createdAt) > LONGEST_RUN)
    return givenUp(schedule, time, claimed, 'The run has taken 24 hours');
  const running = runningOf(schedule, work, time, settings);
  try {
    await running.perform();
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    log('error', { schedule: schedule.name, operationId: id, ...faultOf(error) });
    const failed = running.checkpoint === work.checkpoint ? crashes + 1 : 1;
    if (failed >= ATTEMPTS) return givenUp(schedule, time, claimed);
    await releaseFailed(claimed, failed);
    throw error;
  }
  if (running.interrupted === 'cancellation') return { status: 'Canceled', checkpoint: running.checkpoint };
  if (running.interrupted) return undefined;
  return { status: 'Succeeded', answered: NO_CONTENT, checkpoint: running.checkpoint };
}

/** Returns the run of a schedule for a time. `settings`: reads what `needs` names. */
export const runningOf = (
  schedule: Schedule,
  work: Claimed['work'],
  time: number,
  settings?: object,
): EachRun => {
  const {
    writes: [own],
    uses,
  } = schedule;
  const caller = SERVICE;
  const call: ResumableCode['call'] = (tools) => schedule.run({ ...tools, time, caller, settings });
  return new EachRun({ own, uses, caller, call }, work);
};

/** Releases the lease after an error of the code, and counts it. */
const releaseFailed = ({ id, work }: Claimed, failed: number) =>
  change(id, {
    now: currentTime(),
    set: { [CRASHES]: number(failed) },
    hidden: true,
    remove: [LEASE, LEASE_UNTIL],
    condition: holdsLease(work.lease),
  });

/** Leaves a message in the dead-letter queue, whose alarm a person gets, and returns the end of the run. */
async function givenUp(
  { name }: Schedule,
  time: number,
  { id, origin }: Claimed,
  reason = `The code failed ${ATTEMPTS} times`,
): Promise<End> {
  const message = { schedule: name, time: new Date(time).toISOString(), operationId: id };
  await orUnavailable(send(config.deadSchedules, message));
  const stated = problem(
    'internal',
    `${reason}. The log of the schedule ${name} has the errors of operation ${id}`,
  );
  return failureWith(stated, origin);
}
