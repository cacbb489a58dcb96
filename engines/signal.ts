/**
 * A signal that wakes its listeners: at most once in each turn of the event loop, after the transaction has
 * committed.
 */
export class Signal {
  readonly #listeners = new Set<() => void>();
  #pending: NodeJS.Immediate | undefined;

  /** Calls `listener` at each signal. Returns a function that removes the listener. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves at the next signal, or when the AbortSignal aborts. */
  next(abort: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        remove();
        abort.removeEventListener('abort', end);
        resolve();
      };
      const remove = this.listen(end);
      if (abort.aborted) end();
      else abort.addEventListener('abort', end);
    });
  }

  /** Wakes the listeners. Several calls in one turn of the event loop are one signal. */
  send(): void {
    if (this.#listeners.size === 0) return;
    this.#pending ??= setImmediate(() => {
      this.#pending = undefined;
      for (const listener of [...this.#listeners]) listener();
    });
  }

  /** Cancels a pending signal and removes all listeners. */
  close(): void {
    clearImmediate(this.#pending);
    this.#listeners.clear();
  }
}
