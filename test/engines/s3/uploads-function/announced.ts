import { PutObjectCommand, type PutObjectCommandInput } from '@aws-sdk/client-s3';
import { cancel } from '../../../../functions/operations/cancel.ts';
import { run } from '../../../../functions/worker/run.ts';
import { s3 } from '../../../../shared/aws/clients/s3.ts';
import { announced } from '../../../../shared/files/uploads/announce/announce.ts';
import { attributesOf, itemOf } from '../../../../shared/operations/record/record.ts';
import { ANYONE } from '../../../../shared/resource/access/owner.ts';
import type { FilesCall } from '../../../../shared/resource/actions/action.ts';
import type { Outcome } from '../../../../shared/resource/actions/outcome.ts';
import type { Upload } from '../../../../shared/resource/sent.ts';
import { files, mediaType, notify, staged } from './notifications.ts';

/** Announces files. */
export async function upload(...uploads: readonly (Partial<Upload> & { name: string })[]) {
  return announcedWith({}, ...uploads);
}

/** Announces files with other properties of the request. */
export async function announcedWith(
  more: Partial<FilesCall>,
  ...uploads: readonly (Partial<Upload> & { name: string })[]
) {
  const all = uploads.map((one) => ({ size: 1, mediaType, ...one }));
  const asked: FilesCall = {
    caller: ANYONE,
    content: { kind: 'uploads', uploads: all },
    origin: { basePath: '', path: '/files', requestId: 'r' },
    lenient: false,
    now: Date.now(),
    ...more,
  };
  const outcome = (await announced(files, asked, all)) as Extract<Outcome, { kind: 'accepted' }>;
  const links = outcome.more?.uploads as unknown as { href: string; headers: Record<string, string> }[];
  return { id: outcome.item.id as number, links };
}

export const statusOf = async (id: number) => (await attributesOf(id))?.status?.S;
export const progressOf = async (id: number) => JSON.parse((await attributesOf(id))?.progress?.S ?? '{}');

/** Stores a file of an operation where its link leads, with the metadata that the link fixes. */
export const arrive = (
  operation: number,
  file: number,
  Body = 'x',
  more: Partial<PutObjectCommandInput> = {},
) =>
  s3().send(
    new PutObjectCommand({
      ...staged.address(`${operation}/${file}`),
      Body,
      ContentType: mediaType,
      Metadata: { operation: String(operation), file: String(file) },
      ...more,
    }),
  );
/** True if the bytes of a file are still at the address of its link. */
export const isStaged = async (id: number, at: number) => (await staged.head(`${id}/${at}`)) !== undefined;
/** Delivers the notifications of files that arrived. */
export const sent = (id: number, ...numbers: readonly number[]) =>
  notify(...numbers.map((at) => `uploads/${id}/${at}`));
/** Cancels an operation. */
export const cancelIt = async (id: number) => {
  const item = itemOf((await attributesOf(id)) as NonNullable<Awaited<ReturnType<typeof attributesOf>>>);
  await cancel(item, Date.now());
};
/** Runs an operation as the sweeper does when its time is over. */
export const lookAfter = (id: number) => run(id, { deadline: Date.now() + 10_000, again: Date.now() });
