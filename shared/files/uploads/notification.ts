/** What S3 tells of an object: its key, and nothing that may not have changed since. */
interface S3Record {
  readonly eventSource?: string;
  readonly s3?: { readonly object?: { readonly key?: string } };
}

/**
 * The keys that a message of S3 is about. A test message, which a new notification begins with, is about none.
 *
 * Source: Amazon S3 User Guide, "Event message structure": keys are encoded as in a form.
 */
export function keysIn(body: string): string[] {
  const { Records = [] } = JSON.parse(body) as { readonly Records?: readonly S3Record[] };
  return Records.flatMap(({ s3 }) => {
    const key = s3?.object?.key;
    return key === undefined ? [] : [decodeURIComponent(key.replaceAll('+', ' '))];
  });
}
