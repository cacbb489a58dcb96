import type { Resource } from '../../../shared/resource/resource.ts';
import { type Judging, obstacleIn } from './effect.ts';
import { changesOfFile, type FileIntent, type FormerFile, versionOfFile } from './former-files.ts';
import { isSelected, type PastChange } from './selection.ts';
import type { Candidate } from './walk.ts';

/** What an undo does with a file. */
export type FileJudgement =
  | ({ readonly kind: 'file'; readonly id: string } & FileIntent)
  | { readonly kind: 'unchanged'; readonly id: string }
  | { readonly kind: 'skipped'; readonly id: string; readonly reason: string; readonly waits?: never };

/**
 * Judges a file with a selected change, as `judge` does an item. The rows of the list have the authors and the entity tags,
 * and the bucket has the bytes.
 *
 * @throws Unavailable if S3 or DynamoDB does not respond
 */
export async function judgeFile(
  resource: Resource,
  { id, version, created }: Pick<Candidate, 'id' | 'version' | 'created'>,
  { selection, undo, firsts }: Omit<Judging, 'now'>,
): Promise<FileJudgement | undefined> {
  const name = String(id);
  if (firsts.has(id) && firsts.get(id) !== version) return undefined;
  let first: { readonly change: PastChange; readonly created: number } | undefined;
  let before: FormerFile | 'lost' | undefined;
  let present: FormerFile | undefined;
  let other: PastChange | undefined;
  let unselected: PastChange | undefined;
  let isNewest = true;
  for await (const { change, created: begun, after } of changesOfFile(resource, name)) {
    if (isNewest) present = after;
    isNewest = false;
    if (first && before === 'lost') before = after;
    if (change.time < selection.since) break;
    if (!first && undo !== undefined && change.mark?.isUndo && change.mark.operation === undo)
      return undefined;
    if (isSelected(selection, change)) {
      first = { change, created: begun };
      other = unselected;
      // The file existed before this change, or a removal is older.
      before = change.version === 1 ? undefined : 'lost';
    } else unselected ??= change;
  }
  firsts.set(id, first?.change.version);
  if (!first || first.change.version !== version || first.created !== created) return undefined;
  if (before === 'lost') return { kind: 'skipped', id: name, reason: 'its history is over' };
  const { etag, contentType, createdBy } = before ?? {};
  if (present?.etag === etag && present?.contentType === contentType && present?.createdBy === createdBy)
    return { kind: 'unchanged', id: name };
  const obstacle = obstacleIn(other, selection);
  if (obstacle !== undefined) return { kind: 'skipped', id: name, reason: obstacle };
  const from = present?.etag;
  if (!before) return { kind: 'file', id: name, name, from };
  const found = await versionOfFile(name, before);
  if (found === undefined) return { kind: 'skipped', id: name, reason: 'its history is over' };
  return { kind: 'file', id: name, name, from, to: { version: found, etag: before.etag, createdBy } };
}
