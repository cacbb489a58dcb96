/**
 * A refusal an engine answers with, in AWS's vocabulary. Each protocol renders it its own way:
 * `__type` and `message` in JSON, `Code` and `Message` in S3's XML.
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

  /** What was thrown, if it is a Fault; else one of that code (500) with its stack. */
  static of(error: unknown, code: string): Fault {
    return error instanceof Fault ? error : new Fault(code, String((error as Error)?.stack), 500);
  }
}

/**
 * Says clearly that an operation or a feature of AWS is beyond this engine. Status 501, which the SDK
 * does not retry.
 */
export function notImplemented(feature: string): Fault {
  return new Fault('NotImplemented', `${feature} is not implemented by the embedded engine`, 501);
}

/** A ValidationException (400): DynamoDB's answer to what it cannot make sense of. */
export function invalid(message: string): Fault {
  return new Fault('ValidationException', message);
}
