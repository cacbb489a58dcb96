/** What S3 tells of an object: its key, and nothing that may not have changed since. */
interface S3Record {
  readonly eventTime?: string;
  readonly eventSource?: string;
  readonly s3?: { readonly object?: { readonly key?: string } };
}

/** Something happened to an object. `time`: when S3 says it did, in ms since the epoch, if it says so. */
export interface ObjectEvent {
  readonly key: string;
  readonly time: number | undefined;
}

/**
 * What a message of S3 is about. A test message, which a new notification begins with, is about none.
 *
 * Source: Amazon S3 User Guide, "Event message structure": keys are encoded as in a form.
 */
export function parseNotification(body: string): ObjectEvent[] {
  const { Records = [] } = JSON.parse(body) as { readonly Records?: readonly S3Record[] };
  return Records.flatMap(({ eventTime, s3 }) => {
    const key = s3?.object?.key;
    if (key === undefined) return [];
    const time = eventTime === undefined ? undefined : Date.parse(eventTime);
    return [{ key: decodeURIComponent(key.replaceAll('+', ' ')), time }];
  });
}
