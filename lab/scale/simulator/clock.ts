import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { configureClock } from '../../../shared/aws/clock.ts';
import { randomNumbers } from '../../../test/support/random-numbers.ts';

/** The virtual date at the time 0, in ms since the epoch. */
const START = Date.UTC(2026, 6, 1);

interface Event {
  /** Ms since the start. */
  readonly at: number;
  action: (() => void) | undefined;
}

/** A clock that goes on to the next event at once. */
export class VirtualClock {
  /** The next event is the last one. Of two events at one time, the first to be planned is the next. */
  readonly #events: Event[] = [];
  /** Ms since the start. */
  now = 0;
  /** Numbers from 0 to 1, the same in each run. */
  readonly random: () => number;

  constructor(seed: number) {
    this.random = randomNumbers(seed);
  }

  /** Runs the action after `ms`. Without an action, the event is cancelled. */
  after(ms: number, action: () => void): Event {
    const event: Event = { at: this.now + Math.max(0, ms), action };
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle]?.at ?? 0) > event.at) low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, event);
    return event;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /**
   * Runs all events. Handlers wait for nothing but events of this clock, so after a turn of the event loop each of them
   * waits for the next event.
   */
  async run(): Promise<void> {
    for (;;) {
      await new Promise(setImmediate);
      const next = this.#events.pop();
      if (!next) return;
      if (!next.action) continue;
      this.now = next.at;
      next.action();
    }
  }

  /**
   * Gives this process the time and the random numbers of the clock: timers, dates, pauses of retries, identifiers. Returns
   * what undoes it.
   */
  install(): () => void {
    const before = { setTimeout, clearTimeout, now: Date.now, random: Math.random };
    const { randomInt } = crypto;
    const pause = timers.setTimeout;
    const timer = (action: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
      Object.assign(
        this.after(ms, () => action(...given)),
        { unref: () => undefined },
      );
    const cancel = (event: Event | undefined) => event && Object.assign(event, { action: undefined });
    Object.assign(globalThis, { setTimeout: timer, clearTimeout: cancel });
    Date.now = () => START + Math.floor(this.now);
    Math.random = this.random;
    Object.assign(crypto, { randomInt: (most: number) => Math.floor(this.random() * most) });
    Object.assign(timers, { setTimeout: (ms = 0) => this.sleep(ms) });
    syncBuiltinESMExports();
    configureClock(() => Date.now());
    return () => {
      Object.assign(globalThis, { setTimeout: before.setTimeout, clearTimeout: before.clearTimeout });
      Date.now = before.now;
      Math.random = before.random;
      Object.assign(crypto, { randomInt });
      Object.assign(timers, { setTimeout: pause });
      syncBuiltinESMExports();
      configureClock(() => Date.now());
    };
  }
}
