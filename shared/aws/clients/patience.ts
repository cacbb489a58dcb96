import { currentTime } from '../clock.ts';

/** The time-out for the start of S3's response to a copy, in ms: S3 sends nothing during the copy. */
const COPY_MS = 300_000;

/**
 * The options of a call with a late response: CopyObject, UploadPartCopy and CompleteMultipartUpload. Each attempt
 * has five minutes. All attempts together end at `deadline`, in ms since the epoch.
 *
 * Source: Amazon S3 API Reference, CompleteMultipartUpload: "can take several minutes to complete"; AWS SDK for
 * JavaScript v3 Developer Guide, "Configuring timeouts".
 */
export function answeredLate(deadline: number): { requestTimeout: number; abortSignal: AbortSignal } {
  return { requestTimeout: Math.min(COPY_MS, timeTo(deadline)), abortSignal: endingAt(deadline) };
}

/** A signal that aborts calls at `deadline`, in ms since the epoch. */
export const endingAt = (deadline: number): AbortSignal => AbortSignal.timeout(timeTo(deadline));

const timeTo = (deadline: number): number => Math.max(deadline - currentTime(), 1);
