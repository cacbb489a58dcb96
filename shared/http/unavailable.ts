/** An engine of the service does not respond. The client may try the request again. */
export class Unavailable extends Error {
  /** Seconds to wait before trying again. */
  readonly retryAfter: number;

  constructor(cause: unknown, retryAfter = 1) {
    super('An engine of this service does not respond', { cause });
    this.name = 'Unavailable';
    this.retryAfter = retryAfter;
  }
}
