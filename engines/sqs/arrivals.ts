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

  /** Tells everyone who waits to look again. */
  arrived(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Ends every wait, so that no timer keeps the process alive; who finds `closed` waits no more. */
  close(): void {
    this.closed = true;
    this.arrived();
  }
}
