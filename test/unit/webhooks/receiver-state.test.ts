import { describe, expect, test } from '@jest/globals';
import { afterAttempt, hasFailedFor } from '../../../functions/webhooks/receiver-state.ts';
import { laneOf, type ReceiverState } from '../../../shared/events/webhooks/heads.ts';

const NEW: ReceiverState = { streak: 0, failures: 0 };
const HOURS = 3_600_000;

/** Attempts by what happens: the ms until a success, `fails`, or `late`. They begin at 1,000,000, a second apart. */
const stateAfter = (...all: readonly (number | 'fails' | 'late')[]): ReceiverState =>
  all.reduce((state: ReceiverState, one, at) => {
    const began = 1_000_000 + at * 1000;
    const ended = began + (typeof one === 'number' ? one : 10);
    const times = { isDelivered: typeof one === 'number', isLate: one === 'late', began, ended };
    return afterAttempt(state, times, (failures) => failures * 100_000);
  }, NEW);

// Specification 18.9
describe('a receiver', () => {
  test.each([
    [[], 'other'],
    [[1, 1], 'other'],
    [[1, 1, 1000], 'proven'],
    [[1, 1, 1001], 'other'],
    [[1, 1, 1, 2001], 'other'],
    [[1, 1, 1, 'late'], 'other'],
    [[1, 1, 1, 'fails'], 'other'],
    [['late', 1, 1, 1], 'proven'],
    [[1, 1, 1, 'fails', 1, 1], 'other'],
  ] as const)('after %j has the lane %s', (all, lane) => {
    expect(laneOf(stateAfter(...all))).toBe(lane);
  });

  test('gets a pause after a time-out, of the schedule and of five minutes at most', () => {
    const pauses = [1, 2, 3, 4].map((length) => {
      const state = stateAfter(...Array.from({ length }, () => 'late' as const));
      return (state.pausedUntil ?? 0) - (1_000_000 + (length - 1) * 1000 + 10);
    });
    expect(pauses).toEqual([100_000, 200_000, 300_000, 300_000]);
    expect(stateAfter('late', 'fails').pausedUntil).toBeUndefined();
    expect(stateAfter('late', 1).pausedUntil).toBeUndefined();
  });
});

// Specification 18.8
test('a receiver has failed for three days only after five attempts since its last success', () => {
  const [most, now] = [72 * HOURS, 1_000_000 + 72 * HOURS];
  const failing = (length: number) => stateAfter(...Array.from({ length }, () => 'fails' as const));
  expect(hasFailedFor(failing(5), { most, now })).toBe(true);
  expect(hasFailedFor(failing(5), { most, now: now - 1 })).toBe(false);
  expect(hasFailedFor(failing(4), { most, now: now + 96 * HOURS })).toBe(false);
  expect(hasFailedFor(stateAfter('fails', 'fails', 'fails', 'fails', 1, 'fails'), { most, now })).toBe(false);
});
