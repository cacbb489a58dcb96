import { setTimeout as pause } from 'node:timers/promises';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { scheduleHandler } from '../../functions/worker/schedules/handle.ts';
import { beginRun, sendRun } from '../../functions/worker/schedules/turn.ts';
import { currentTime } from '../../shared/aws/clock.ts';
import { settingsOf } from '../../shared/aws/settings.ts';
import { isFinal } from '../../shared/operations/record/fields.ts';
import { attributesOf, itemOf } from '../../shared/operations/record/record.ts';
import { latestTime, nextTime } from '../../shared/resource/planned-times.ts';
import type { Schedule } from '../../shared/resource/schedule.ts';
import { names, queueUrl } from '../provision/names.ts';
import { type Pump, pump } from './pump.ts';

/** How often the clock is read, in ms. */
const LOOK_MS = 1000;
/** A planned time that is longer ago, in ms, is not made up for at a start. */
const MISSED_MS = 24 * 3600 * 1000;
/** Maximum milliseconds of one invocation. */
const RUN_MS = 300_000;
/** The pause between two looks at a run, in ms. */
const WATCH_MS = 25;

/** Runs the schedules by the clock of the service, as EventBridge Scheduler does. */
export interface Scheduler extends Pump {
  /** Begins the runs whose time has come. */
  look(): Promise<void>;
}

/** `isNew`: no earlier process has missed a time. */
export function startSchedules(sqs: SQSClient, schedules: readonly Schedule[], isNew: boolean): Scheduler {
  const runTime = Number(process.env.RUN_SECONDS ?? 0) * 1000 || RUN_MS;
  const pumps = schedules.map((one) =>
    pump(sqs, {
      queueUrl: queueUrl(names.scheduleQueue(one.name)),
      handler: scheduleHandler(one, one.needs && settingsOf(one.needs)),
      batchSize: 1,
      concurrency: 1,
      timeout: runTime,
    }),
  );
  const begun = currentTime();
  const seen = new Map(
    schedules.map(({ name, when }) => {
      const latest = latestTime(when, begun);
      return [name, isNew || begun - latest > MISSED_MS ? begun : latest - 1];
    }),
  );
  let looking: Promise<void> = Promise.resolve();
  const look = async () => {
    for (const { name, when } of schedules) {
      let last = seen.get(name) ?? begun;
      for (let next = nextTime(when, last); next <= currentTime(); next = nextTime(when, last)) {
        await sendRun(name, next);
        last = next;
        seen.set(name, last);
      }
    }
  };
  const tick = () => {
    looking = looking.then(look).catch((error) => console.error(error));
    return looking;
  };
  const timer = schedules.length > 0 ? setInterval(tick, LOOK_MS) : undefined;
  if (timer) void tick();
  return {
    look: tick,
    stop: async () => {
      clearInterval(timer);
      await Promise.all([looking, ...pumps.map((one) => one.stop())]);
    },
  };
}

/**
 * Begins a run of a schedule now, and waits for its end.
 * @throws Error if there is no such schedule, or if the run fails
 */
export async function runNow(schedules: readonly Schedule[], name: string): Promise<void> {
  const schedule = schedules.find((one) => one.name === name);
  if (!schedule) throw new Error(`There is no schedule '${name}'`);
  const time = currentTime();
  const id = await beginRun(schedule, time);
  await sendRun(name, time);
  for (;;) {
    const attributes = await attributesOf(id);
    const item = attributes && itemOf(attributes);
    if (item && isFinal(item)) {
      if (item.values.status === 'Succeeded') return;
      throw new Error(
        `The run of ${name} ended as ${item.values.status}: ${JSON.stringify(item.values.error)}`,
      );
    }
    await pause(WATCH_MS);
  }
}
