/** Tells those who listen that something came: once a turn of the event loop, after the transaction that it came in. */
export class Bell {
  readonly #listeners = new Set<() => void>();
  #ringing: NodeJS.Immediate | undefined;

  /** Calls `listener` at each ringing, until what this answers is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves at the next ringing, or when the signal says so. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        silence();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const silence = this.listen(end);
      if (signal.aborted) end();
      else signal.addEventListener('abort', end);
    });
  }

  ring(): void {
    if (this.#listeners.size === 0) return;
    this.#ringing ??= setImmediate(() => {
      this.#ringing = undefined;
      for (const listener of [...this.#listeners]) listener();
    });
  }

  /** Ends what is under way, and forgets who listens. */
  close(): void {
    clearImmediate(this.#ringing);
    this.#listeners.clear();
  }
}
