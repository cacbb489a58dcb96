/** An engine behind the service does not answer, or not yet: the request may be tried again. */
export class Unavailable extends Error {
  /** Seconds to wait before trying again. */
  readonly retryAfter: number;

  constructor(cause: unknown, retryAfter = 1) {
    super('A service behind this one does not answer', { cause });
    this.name = 'Unavailable';
    this.retryAfter = retryAfter;
  }

  /** By name: a module that is loaded on demand brings a class of its own. */
  static override [Symbol.hasInstance](value: unknown): value is Unavailable {
    return (value as Error | undefined | null)?.name === 'Unavailable';
  }
}
