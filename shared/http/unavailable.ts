/** An engine of the service does not respond, or has not all data yet. The client may try the request again. */
export class Unavailable extends Error {
  /** Seconds to wait before trying again. */
  readonly retryAfter: number;
  /** The reason for the client. */
  readonly detail: string;

  constructor(cause: unknown, retryAfter = 1, detail = 'Please try again') {
    super('An engine of this service does not respond', { cause });
    this.name = 'Unavailable';
    this.retryAfter = retryAfter;
    this.detail = detail;
  }
}
