/**
 * A signal that wakes its listeners: at most once in each turn of the event loop, after the transaction has
 * committed.
 */
export class Bell {
  readonly #listeners = new Set<() => void>();
  #ringing: NodeJS.Immediate | undefined;

  /** Calls `listener` at each signal. Returns a function that removes the listener. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves at the next signal, or when the AbortSignal aborts. */
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

  /** Cancels a pending signal and removes all listeners. */
  close(): void {
    clearImmediate(this.#ringing);
    this.#listeners.clear();
  }
}
