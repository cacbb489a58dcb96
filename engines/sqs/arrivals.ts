/** Wakes long polls: when a message arrives, when time is up, and for good at `close`. */
export class Arrivals {
  readonly #waiting = new Set<() => void>();
  closed = false;

  /** Resolves at the next arrival in any queue, at the latest after `limit` milliseconds. */
  wait(limit: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, limit);
      this.#waiting.add(wake);
    });
  }

  /** Wakes all waiting polls. */
  arrived(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Ends all waits, so that no timer keeps the process alive. A poll that finds `closed` does not wait again. */
  close(): void {
    this.closed = true;
    this.arrived();
  }
}
