/** The parts of an S3 record that the service uses. The object may have changed since then. */
interface S3Record {
  readonly eventName?: string;
  readonly eventTime?: string;
  readonly s3?: { readonly object?: { readonly key?: string } };
}

/**
 * An event of an object. `time`: the event time in ms since the epoch; undefined if the record has none. `isRemoval`:
 * S3 removed the object.
 */
export interface ObjectEvent {
  readonly key: string;
  readonly isRemoval: boolean;
  readonly time: number | undefined;
}

/**
 * Returns the events in a message of S3. The test message that S3 sends for a new configuration has none.
 *
 * Source: Amazon S3 User Guide, "Event message structure": S3 encodes keys as forms do.
 */
export function parseNotification(body: string): ObjectEvent[] {
  const { Records = [] }: { readonly Records?: readonly S3Record[] } = JSON.parse(body);
  return Records.flatMap(({ eventName, eventTime, s3 }) => {
    const key = s3?.object?.key;
    if (key === undefined) return [];
    const time = eventTime === undefined ? undefined : Date.parse(eventTime);
    const isRemoval = eventName?.includes('ObjectRemoved') ?? false;
    return [{ key: decodeURIComponent(key.replaceAll('+', ' ')), isRemoval, time }];
  });
}
