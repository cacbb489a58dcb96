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
    this.name = code;
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

/**
 * Says clearly that an operation or a feature of AWS is beyond this engine. Status 501, which the SDK
 * does not retry.
 */
export function notImplemented(feature: string): Fault {
  return new Fault('NotImplemented', `${feature} is not implemented by the embedded engine`, 501);
}
