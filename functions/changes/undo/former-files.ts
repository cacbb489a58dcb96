import { GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { currentTime } from '../../../shared/aws/clock.ts';
import { config } from '../../../shared/aws/config.ts';
import { orUnavailable } from '../../../shared/aws/faults.ts';
import { FileListing } from '../../../shared/files/listing.ts';
import { Objects } from '../../../shared/files/objects.ts';
import { FILES } from '../../../shared/files/uploads/record.ts';
import { copyVersion, listVersions } from '../../../shared/files/versions.ts';
import { formatEntityTag, parseEntityTag } from '../../../shared/http/conditional/entity-tag.ts';
import type { Caller } from '../../../shared/resource/access/owner.ts';
import { descriptionOf, type Resource } from '../../../shared/resource/resource.ts';
import type { Attributes } from '../../../shared/store/form/attribute-value.ts';
import { authorsOf, keyAttribute } from '../../../shared/store/form/attributes.ts';
import { historyKey } from '../../../shared/store/form/log-table.ts';
import { CREATED, markIn, UPDATED, VERSION } from '../../../shared/store/form/table.ts';
import {
  imageIn,
  isShown,
  REMOVED_AT,
  REMOVED_BY,
  VERSIONS_TABLE,
} from '../../../shared/store/history/versions-table.ts';
import { compare, readExpression } from '../../../shared/store/write/expression.ts';

/** A file in the past: its entity tag, its media type, who created it, and the time of its row in ms since the epoch. */
export interface FormerFile {
  readonly etag: string;
  readonly contentType: string | undefined;
  readonly createdBy: string | undefined;
  readonly time: number;
}

/** Yields the rows of a file, the newest one first. `kept`: what keeps a former row. */
async function* rowsOf(
  resource: Resource,
  name: string,
): AsyncGenerator<{ readonly image: Attributes; readonly kept?: Attributes }, undefined> {
  const TableName = config.tableName(resource.name);
  const Key = keyAttribute(descriptionOf(resource), name);
  const { Item: present } = await orUnavailable(
    dynamoDb().send(new GetItemCommand({ TableName, Key, ConsistentRead: true })),
  );
  if (present) yield { image: present };
  let startAt: Attributes | undefined;
  do {
    const query = new QueryCommand({
      TableName: config.tableName(VERSIONS_TABLE.name),
      ...readExpression({ key: compare(VERSIONS_TABLE.key, '=', historyKey(resource, name)) }),
      ScanIndexForward: false,
      ConsistentRead: true,
      ExclusiveStartKey: startAt,
    });
    const { Items = [], LastEvaluatedKey } = await orUnavailable(dynamoDb().send(query));
    for (const kept of Items.filter(isShown)) yield { image: imageIn(kept), kept };
    startAt = LastEvaluatedKey;
  } while (startAt);
  return undefined;
}

/**
 * Yields the changes of a file, the newest one first, each with the file after it. A file counts its versions from its
 * creation, so the change has both.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function* changesOfFile(resource: Resource, name: string) {
  for await (const { image, kept = {} } of rowsOf(resource, name)) {
    const [version, created, time] = [VERSION, CREATED, UPDATED].map((one) => Number(image[one]?.N));
    if (version === undefined || created === undefined || time === undefined) continue;
    const { createdBy, updatedBy } = authorsOf(image);
    const after = { etag: image._etag?.S ?? '', contentType: image.contentType?.S, createdBy, time };
    if (kept[REMOVED_AT]) {
      const at = Number(kept[REMOVED_AT].N);
      const removal = { version: version + 1, time: at, by: kept[REMOVED_BY]?.S, mark: markIn(kept, at) };
      yield { change: removal, created, after: undefined };
    }
    const change = { version, time, by: updatedBy, mark: markIn(image, time) };
    yield { change, created, after };
  }
}

/** S3's times have whole seconds, and the row has the time before the write. Its clock differs by less, in ms. */
const CLOCKS_MS = 60_000;

/**
 * Finds the version of a file in the bucket that a row described: of those with its entity tag and its media type, the one
 * whose time is the nearest. The same bytes can have several types within a second. Returns undefined if the bucket does not
 * have it any more.
 *
 * @throws Unavailable if S3 does not respond
 */
export async function versionOfFile(
  name: string,
  { etag, time, contentType }: FormerFile,
): Promise<string | undefined> {
  const found: { readonly version: string; readonly distance: number }[] = [];
  for await (const one of listVersions(name)) {
    if (one.time < time - CLOCKS_MS) break;
    if (one.etag === etag) found.push({ version: one.version, distance: Math.abs(one.time - time) });
  }
  found.sort((a, b) => a.distance - b.distance);
  if (found.length < 2) return found[0]?.version;
  for (const { version } of found) {
    const facts = await new Objects(FILES, version).head(name);
    if (contentType === undefined || facts?.mediaType === contentType) return version;
  }
  return undefined;
}

/** What an undo does with a file. `from`: the entity tag that it must have now; undefined: it must not exist. */
export interface FileIntent {
  readonly name: string;
  readonly from?: string | undefined;
  /** The version whose bytes return, its entity tag, and who created the file; undefined: the file is removed. */
  readonly to?: (Pick<FormerFile, 'etag' | 'createdBy'> & { readonly version: string }) | undefined;
}

/**
 * Brings a file back to a version, or removes it, and then changes its row. A repeated call for what is done only writes
 * the row again. Returns why the file stays as it is; undefined: it has changed.
 *
 * @throws Unavailable if S3 or DynamoDB does not respond
 */
export async function bringBack(
  resource: Resource,
  { name, from, to }: FileIntent,
  caller: Caller,
): Promise<string | undefined> {
  const objects = new Objects(FILES);
  const rows = new FileListing(resource);
  const etag = from === undefined ? undefined : parseEntityTag(from);
  const begun = currentTime();
  if (!to) {
    const isGone = (await objects.remove(name, etag)) === 'removed' || !(await objects.head(name));
    if (!isGone) return 'changed meanwhile';
    const row = await rows.shown(name);
    if (row) await rows.removeIfUnchanged(name, row, caller);
    return undefined;
  }
  const condition = etag ? ({ kind: 'etag', etag } as const) : ({ kind: 'absent' } as const);
  const copied = await copyVersion(name, to.version, condition);
  if (copied === 'missing') return 'its history is over';
  if (copied === 'tooLarge') return 'larger than 5 GiB';
  const facts = copied === 'lost' ? await objects.head(name) : copied;
  if (!facts || (copied === 'lost' && formatEntityTag(facts.etag) !== to.etag)) return 'changed meanwhile';
  // The time of creation stays: it orders the changes of the file.
  const at = (await rows.shown(name))?.createdAt ?? begun;
  await rows.put(name, facts, begun, caller.subject, { at, by: to.createdBy });
  return undefined;
}
