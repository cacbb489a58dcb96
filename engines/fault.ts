import { isDiskFull } from './data-fault.ts';

/**
 * An error response of an engine, with AWS's codes. Each protocol renders it in its own form: `__type` and `message`
 * in JSON, `Code` and `Message` in S3's XML.
 */
export class Fault extends Error {
  readonly code: string;
  readonly status: number;
  /** Extra members of the error document, for example `CancellationReasons`. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, status = 400, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }

  /** Returns the thrown value if it is a Fault; otherwise a Fault with that code, or `StorageFull` (500), and the stack. */
  static of(error: unknown, code: string): Fault {
    if (error instanceof Fault) return error;
    return new Fault(isDiskFull(error) ? 'StorageFull' : code, String((error as Error)?.stack), 500);
  }
}

/**
 * Returns the fault for an operation or a feature of AWS that the engine does not implement. The SDK does not retry
 * its status, 501.
 */
export function notImplemented(feature: string): Fault {
  return new Fault('NotImplemented', `${feature} is not implemented by the embedded engine`, 501);
}

/** A ValidationException (400), DynamoDB's response to an invalid request. */
export function invalid(message: string): Fault {
  return new Fault('ValidationException', message);
}
