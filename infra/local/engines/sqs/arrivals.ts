/** Wakes long polls: when a message arrives, when time is up, and for good at `close`. */
export class Arrivals {
  readonly #waiting = new Map<number, Set<() => void>>();
  #closed = false;

  get closed(): boolean {
    return this.#closed;
  }

  /** Resolves at the next arrival in that queue, at the latest after `limit` milliseconds. */
  wait(queue: number, limit: number): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(queue) ?? new Set();
      this.#waiting.set(queue, waiting);
      const wake = (): void => {
        clearTimeout(timer);
        waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, limit);
      waiting.add(wake);
    });
  }

  /** Tells everyone waiting on the queue to look again. */
  arrived(queue: number): void {
    for (const wake of [...(this.#waiting.get(queue) ?? [])]) wake();
  }

  /** Ends every wait, now and later, so that no timer keeps the process alive. */
  close(): void {
    this.#closed = true;
    for (const queue of this.#waiting.keys()) this.arrived(queue);
  }
}
