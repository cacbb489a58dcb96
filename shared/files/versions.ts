import {
  CopyObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
} from '@aws-sdk/client-s3';
import { s3 } from '../aws/clients/s3.ts';
import { currentTime } from '../aws/clock.ts';
import { orUnavailable } from '../aws/faults.ts';
import type { Calls, FileCall } from '../resource/actions/action.ts';
import { found, missing, type Outcome, refused } from '../resource/actions/outcome.ts';
import { pageOf } from '../resource/lists/document-page.ts';
import type { FileHistoryActions } from '../resource/styles/file-history.ts';
import { type ListedVersion, versionsDocument } from '../store/history/document.ts';
import { withIdempotencyLock } from '../store/idempotency/lock.ts';
import { addressOf } from './address.ts';
import { bytesOfObject, NULL } from './bytes-of-object.ts';
import {
  conditionFields,
  isLost,
  isMissing,
  type ObjectCondition,
  type ObjectFacts,
  Objects,
  objectCondition,
  tagOf,
} from './objects.ts';
import { storedName } from './stored-name.ts';
import { FILES } from './uploads/record.ts';

/**
 * Writes the object of a file. `lastModified` of its facts is the time before the write. 'lost': the precondition does not
 * hold any more.
 */
export type MakeObject = () => Promise<ObjectFacts | 'lost'>;

/** Writes the object of a file, then its row. */
type Store = (input: FileCall, make: MakeObject) => Promise<Outcome>;

/** An entry of the list of versions. `time`: in ms since the epoch. `size`: in bytes; undefined for a removal. */
interface Entry {
  readonly version: string;
  /** The text of the entity tag; undefined for a removal. */
  readonly etag?: string | undefined;
  readonly isRemoval: boolean;
  readonly time: number;
  readonly size?: number | undefined;
}

/** The position of a page: the version before it. */
const AFTER = { name: 'after', matches: /^[\x21-\x7e]{1,1024}$/, is: 'a version' };

/** The most bytes of one CopyObject. Source: Amazon S3 API Reference, CopyObject. */
const MAXIMUM_COPY = 5 * 1024 ** 3;

/**
 * Returns the actions on the versions that the bucket keeps of files. `store` makes the present file.
 * All @throws Unavailable when S3 does not respond
 *
 * Source: Specification 16.11 to 16.13; Amazon S3 User Guide, "Retaining multiple versions of objects with S3 Versioning".
 */
export function fileHistoryActions(store: Store): FileHistoryActions {
  const objects = new Objects(FILES);
  const unknown = ({ version }: Calls['fileVersion']) =>
    missing(`There is no version ${version} of this file`);

  return {
    list: async ({ name: sent, query, basePath }) => {
      const page = pageOf(query, AFTER);
      if (page.kind !== 'page') return page;
      const name = await storedName(objects, sent);
      const { limit, position: [after] = [] } = page;
      const { end, entries: before } = await pageAfter(objects, name, Math.max(limit, 1), after);
      const older = end === undefined ? [] : (await pageAfter(objects, name, 1, end)).entries;
      const entries = [...before, ...older];
      if (after === undefined && !hasVersions(entries)) return missing();
      const shown = entries
        .slice(0, limit)
        .map((entry, at) => ({ ...entry, change: changeOf(entry, entries[at + 1]) }));
      const path = `/files/${encodeURIComponent(name)}`;
      const isFollowed = end !== undefined && older.length > 0 && limit > 0;
      const next = isFollowed
        ? `${path}/versions?limit=${limit}&after=${encodeURIComponent(end)}`
        : undefined;
      const more = ({ size }: Entry) => (size === undefined ? {} : { size });
      return versionsDocument(path, shown, { limit, basePath, next, more });
    },

    read: async (input) => {
      const { version, mostBytes } = input;
      const name = await storedName(objects, input.name);
      const past = new Objects(FILES, version);
      const opened = await past.open(name, mostBytes);
      if (!opened || opened === 'removed' || !opened.facts.version) return unknown(input);
      return found({
        kind: 'bytes',
        bytes: {
          ...bytesOfObject(past, name, opened, true),
          address: (method) => addressOf(past.address(name), opened.facts, method),
          history: 'past',
        },
      });
    },

    at: async ({ id }, time) => {
      const name = await storedName(objects, String(id));
      let after: string | undefined;
      do {
        const { entries, end } = await pageAfter(objects, name, 1000, after);
        if (after === undefined && !hasVersions(entries)) return false;
        const one = entries.find((entry) => entry.time <= time);
        if (one) return one.isRemoval ? undefined : one.version;
        after = end;
      } while (after !== undefined);
      return undefined;
    },

    restore: (input) => withIdempotencyLock(input, () => restore(input)),
  };

  /** Copies a version over the present file, under the precondition of the request. */
  async function restore(input: Calls['fileVersion']): Promise<Outcome> {
    const { version } = input;
    const name = await storedName(objects, input.name);
    const copying = await copyOf(name, version, objectCondition(input.expected));
    if (copying === 'missing') return unknown(input);
    if (copying === 'tooLarge')
      return refused(
        'conflict',
        'A version of more than 5 GiB cannot be restored. Read it, and upload it again',
      );
    return store({ ...input, name }, copying);
  }
}

/** Returns what copies a version over the present file, if the bucket has the version and S3 can copy it. */
async function copyOf(
  name: string,
  version: string,
  condition: ObjectCondition,
): Promise<MakeObject | 'missing' | 'tooLarge'> {
  const wanted = await new Objects(FILES, version).head(name);
  if (!wanted?.version) return 'missing';
  if (wanted.size > MAXIMUM_COPY) return 'tooLarge';
  const { Bucket, Key } = new Objects(FILES).address(name);
  const source = Key.split('/').map(encodeURIComponent).join('/');
  const command = new CopyObjectCommand({
    Bucket,
    Key,
    CopySource: `${Bucket}/${source}?versionId=${encodeURIComponent(version)}`,
    ...conditionFields(condition),
    // The metadata of an upload would name an operation that did not make this file.
    MetadataDirective: 'REPLACE',
    ContentType: wanted.mediaType,
  });
  return async () => {
    const lastModified = currentTime();
    try {
      const { CopyObjectResult } = await orUnavailable(s3().send(command));
      return { ...wanted, etag: tagOf(CopyObjectResult?.ETag), lastModified };
    } catch (error) {
      if (isLost(error) || isMissing(error)) return 'lost';
      throw error;
    }
  };
}

/**
 * Copies a version over the present file. `lost`: the condition does not hold. `missing`: there is no such version.
 * `tooLarge`: S3 cannot copy it in one request. @throws Unavailable if S3 does not respond
 */
export async function copyVersion(name: string, version: string, condition: ObjectCondition) {
  const copying = await copyOf(name, version, condition);
  return typeof copying === 'string' ? copying : copying();
}

/** Yields the versions and removals of a file, the newest one first. @throws Unavailable if S3 does not respond */
export async function* listVersions(name: string): AsyncGenerator<Entry, undefined> {
  let after: string | undefined;
  do {
    const { entries, end } = await pageAfter(new Objects(FILES), name, 1000, after);
    yield* entries;
    after = end;
  } while (after !== undefined);
  return undefined;
}

/** A bucket that keeps no versions has one version of each object. */
const hasVersions = ([newest, ...older]: readonly Entry[]): boolean =>
  newest !== undefined && (newest.version !== NULL || older.length > 0);

const changeOf = ({ isRemoval }: Entry, older: Entry | undefined): ListedVersion['change'] =>
  isRemoval ? 'removed' : older === undefined || older.isRemoval ? 'created' : 'updated';

/**
 * At most `most` versions of a file after one of them, the newest first. `end`: the last of them in the order of S3, if
 * further ones follow, perhaps of another file only.
 */
async function pageAfter(objects: Objects, name: string, most: number, after?: string) {
  const { Bucket, Key } = objects.address(name);
  const marker = after === undefined ? {} : { KeyMarker: Key, VersionIdMarker: after };
  const command = new ListObjectVersionsCommand({ Bucket, Prefix: Key, MaxKeys: most, ...marker });
  const page = await orUnavailable(s3().send(command));
  const end = page.NextKeyMarker === Key ? page.NextVersionIdMarker : undefined;
  return { entries: entriesOf(page, Key), end };
}

/**
 * Returns the entries of a page. S3 lists versions and removals in one order, and the SDK separates them. S3's times
 * have whole seconds: of two with the same time, the removal counts as the later one.
 */
function entriesOf(
  { Versions = [], DeleteMarkers = [] }: ListObjectVersionsCommandOutput,
  key: string,
): Entry[] {
  const entryOf = (
    isRemoval: boolean,
    one: (typeof DeleteMarkers)[number] & { Size?: number; ETag?: string },
  ) => ({
    isLatest: one.IsLatest === true,
    version: one.VersionId ?? NULL,
    isRemoval,
    time: one.LastModified?.getTime() ?? 0,
    size: one.Size,
    etag: one.ETag,
  });
  return [
    ...DeleteMarkers.filter(({ Key }) => Key === key).map((one) => entryOf(true, one)),
    ...Versions.filter(({ Key }) => Key === key).map((one) => entryOf(false, one)),
  ].sort((a, b) => Number(b.isLatest) - Number(a.isLatest) || b.time - a.time);
}
