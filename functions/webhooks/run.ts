import { sendWake } from '../../shared/aws/clients/queue.ts';
import { currentTime } from '../../shared/aws/clock.ts';
import { config, webhookConfig } from '../../shared/aws/config.ts';
import { mapConcurrently } from '../../shared/concurrency/map-concurrently.ts';
import { type Head, laneOf, type ReceiverState } from '../../shared/events/webhooks/heads.ts';
import type { WaitingRow } from '../../shared/events/webhooks/waiting.ts';
import { POSITIONS_OF_MS } from '../../shared/store/form/log-table.ts';
import { type Attempted, attemptDelivery } from './attempt.ts';
import { releaseHead, takeHead } from './lease.ts';
import { type Receiver, receiverOf } from './receiver.ts';
import { afterAttempt } from './receiver-state.ts';
import { lastAttempt, pauseAfter, type Schedule } from './schedule.ts';
import { endHead, isFull, reasonAfter } from './suspension.ts';
import { allWaiting, firstWaiting, postponeWaiting, removeWaiting } from './waiting-rows.ts';

/** The attempts at the same time, by lane. */
const AT_ONCE = { proven: 5, other: 1 } as const;
/** Rows that an index can still show after their removal. */
const STALE = 10;
/** The time in which an index usually gets a row, in ms. */
const INDEXED_MS = 1000;
/** The longest time until the next look at the rows of a receiver, in ms, in case that an index was late. */
const LONGEST_REST_MS = 1_800_000;

const schedule = (): Schedule => ({ pauses: webhookConfig.pauses(), most: webhookConfig.time() });

/**
 * Sends the due events of a subscription, if no other run does. It ends when nothing is due, when the receiver gets a
 * pause, when its lane changes, or after half of its lease. A wake continues it.
 *
 * @throws Unavailable if DynamoDB or SQS does not respond. Another run begins after the lease.
 *
 * Source: Specification 18.8, 18.9.
 */
export async function runHead(subscription: number): Promise<void> {
  const taken = await takeHead(subscription, currentTime());
  if (!taken) return;
  const lane = laneOf(taken.state);
  const until = currentTime() + webhookConfig.lease() / 2;
  /** The next times of the rows that this run has attempted; undefined: it has removed the row. */
  const attempted = new Map<string, number | undefined>();
  let [head, state, removed] = [taken, taken.state, 0];
  for (;;) {
    const receiver = await receiverOf(subscription);
    if (receiver?.standing.kind !== 'entitled') return endHead(head, receiver);
    if (await isFull(head)) return endHead(head, receiver, 'Too many events wait for the receiver');
    const listed = await firstWaiting(subscription, AT_ONCE[lane] + STALE);
    const times = new Map([...listed.map(({ event, dueAt }) => [event, dueAt] as const), ...attempted]);
    const now = currentTime();
    const rows = listed
      .filter(({ event }) => (times.get(event) ?? Number.POSITIVE_INFINITY) <= now)
      .slice(0, AT_ONCE[lane]);
    if (rows.length === 0) {
      const nextAt = await nextTime(head, [...times.values()], now);
      const raised = await releaseHead(head, { state, removed, nextAt }, { unraised: true });
      if (!raised) return wakeAt(head, state, nextAt);
      [head, removed] = [raised, 0];
      continue;
    }
    for (const one of await mapConcurrently(rows.length, rows, (row) => attemptRow(receiver, row))) {
      state = stateAfter(state, one.attempted);
      attempted.set(one.row.event, one.dueAt);
      if (one.dueAt === undefined) removed += 1;
      const reason = reasonAfter(state, one.attempted, lastAttempt(schedule()).after);
      if (reason !== undefined) return endHead(head, receiver, reason);
      if (one.dueAt === undefined) await removeWaiting([one.row]);
    }
    if (state.pausedUntil === undefined && laneOf(state) === lane && currentTime() < until) continue;
    const nextAt = state.pausedUntil ?? currentTime();
    await releaseHead(head, { state, removed, nextAt }, { unraised: false });
    return wakeAt(head, state, nextAt);
  }
}

/** A row after an attempt; without `dueAt`, it has no other. */
interface AttemptedRow {
  readonly row: WaitingRow;
  readonly attempted: Attempted;
  readonly dueAt?: number;
}

async function attemptRow(receiver: Receiver, row: WaitingRow): Promise<AttemptedRow> {
  // The change is older than the end of a pause of the subscription.
  const isEarlier = row.change && row.change.position <= receiver.since * POSITIONS_OF_MS;
  if (isEarlier) return { row, attempted: { kind: 'unseen' } };
  const attempt = row.attempt + 1;
  const pause = attempt < lastAttempt(schedule()).attempt ? pauseAfter(attempt, schedule()) : undefined;
  const attempted = await attemptDelivery(receiver, row, { attempt, pause });
  if (attempted.kind === 'unseen' || attempted.answer.outcome !== 'failed' || pause === undefined)
    return { row, attempted };
  const dueAt = attempted.ended + pause;
  await postponeWaiting(row, dueAt);
  return { row, attempted, dueAt };
}

function stateAfter(state: ReceiverState, attempted: Attempted): ReceiverState {
  if (attempted.kind === 'unseen') return state;
  const { answer, began, ended } = attempted;
  const times = { isDelivered: answer.outcome === 'delivered', isLate: answer.isLate === true, began, ended };
  return afterAttempt(state, times, (failures) => pauseAfter(failures, schedule()));
}

/** Returns the time of the next attempt; undefined if no event waits. `times`: those that the index shows. */
async function nextTime(
  { subscription, raisedAt }: Head,
  times: readonly (number | undefined)[],
  now: number,
): Promise<number | undefined> {
  if ((await allWaiting(subscription, 1)).length === 0) return undefined;
  const known = times.filter((one) => one !== undefined);
  const isLate = known.length === 0 || now - raisedAt < INDEXED_MS;
  return Math.max(now, Math.min(...known, now + (isLate ? INDEXED_MS : LONGEST_REST_MS)));
}

/** Wakes the next run if it is soon. The sweeper finds the later ones. */
async function wakeAt(
  { subscription }: Head,
  state: ReceiverState,
  nextAt: number | undefined,
): Promise<void> {
  const pause = (nextAt ?? Number.POSITIVE_INFINITY) - currentTime();
  if (pause <= config.sweepTime()) await sendWake(laneOf(state), subscription, pause);
}
