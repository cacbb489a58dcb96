import type { Context, SQSRecord } from 'aws-lambda';
import { handler } from '../../../../functions/uploads/handler.ts';
import { sha256 } from '../../../../shared/files/file-actions.ts';
import { FileListing } from '../../../../shared/files/listing.ts';
import { Objects } from '../../../../shared/files/objects.ts';
import { withTimePassed } from '../../../support/clock.ts';
import { resourceOf } from '../../attached.ts';

export const files = resourceOf('files');
export const objects = new Objects('files/');
export const staged = new Objects('uploads/');
export const rows = new FileListing(files);
/** The media type of all files. */
export const mediaType = 'text/plain';

/** Stores an object without a row. */
export const store = (name: string, text: string) =>
  objects.put(name, { bytes: Buffer.from(text), mediaType, sha256: sha256(Buffer.from(text)) }, undefined);

/** A writer has some time between object and row. This makes the write old enough. */
export const aged = (work: () => Promise<unknown>) => withTimePassed(60_000, work);

let messages = 0;
/** A message about an object, as S3 sends it. */
export const notificationOf = (
  key: string,
  event: { eventName?: string; eventTime?: string } = {},
): SQSRecord =>
  ({
    messageId: `${++messages}`,
    receiptHandle: 'unknown',
    attributes: { ApproximateReceiveCount: '1' },
    body: JSON.stringify({ Records: [{ ...event, s3: { object: { key } } }] }),
  }) as SQSRecord;
export const context = { getRemainingTimeInMillis: () => 900_000 } as Context;
/** Delivers a notification of each object. */
export const notify = (...keys: readonly string[]) =>
  handler({ Records: keys.map((key) => notificationOf(key)) }, context);

/** The key of a file in a notification. */
export const keyOf = (name: string) => `files/${encodeURIComponent(name).replaceAll('%20', '+')}`;
/** The entity tag in the row of a file. */
export const shown = async (name: string) => (await rows.shown(name))?.etag.opaque;
/** The text of a stored file; undefined if there is no such file. */
export const textOf = async (name: string) => {
  const facts = await objects.head(name);
  return facts && Buffer.from((await objects.read(name, facts.etag)) ?? []).toString();
};
