/** Milliseconds that S3 may take before it begins to answer a copy: it sends nothing while it copies. */
const COPY_MS = 300_000;

/**
 * The options of a call that S3 answers late: CopyObject, UploadPartCopy and CompleteMultipartUpload. Each attempt has five
 * minutes. All attempts together end at `deadline`, in ms since the epoch.
 *
 * Source: Amazon S3 API Reference, CompleteMultipartUpload: "can take several minutes to complete"; AWS SDK for JavaScript
 * v3 Developer Guide, "Configuring timeouts".
 */
export function answeredLate(deadline: number): { requestTimeout: number; abortSignal: AbortSignal } {
  const left = Math.max(deadline - Date.now(), 1);
  return { requestTimeout: Math.min(COPY_MS, left), abortSignal: AbortSignal.timeout(left) };
}
