import { jsonEqual } from '../../json/value.ts';
import type { Calls } from '../../resource/actions/action.ts';
import { type Compared, missing, type Outcome } from '../../resource/actions/outcome.ts';
import type { Item } from '../../resource/item.ts';
import { AFTER, pageOf } from '../../resource/lists/document-page.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import { type ListedVersion, versionsDocument } from './document.ts';
import { Versions } from './versions.ts';
import type { Version } from './versions-table.ts';

/** An entry of the list of versions. `by`: the subject who made it. */
interface Entry extends ListedVersion {
  readonly version: number;
  /** The names of the properties that differ from the version before. Undefined: the service has only this one. */
  readonly changed?: readonly string[];
  readonly by?: string | undefined;
  readonly compared?: Compared;
}

/** Returns the list of the versions of an item, newest first. Source: Specification 16.3. */
export async function listOf(resource: Resource, input: Calls['versions']): Promise<Outcome> {
  const { caller, id, query, sight, basePath } = input;
  const page = pageOf(query, AFTER);
  if (page.kind !== 'page') return page;
  const { limit, position } = page;
  const after = position && Number(position[0]);
  const versions = new Versions(resource, caller, id);
  const newest = await versions.newest();
  if (!newest) return missing();
  const { entries, isCut } = await entriesOf(versions, limit + 1, after);
  const shown = entries.slice(0, limit);
  const path = `/${resource.name}/${id}`;
  const { fields } = descriptionOf(resource);
  const isSeen = (name: string) =>
    !Object.hasOwn(fields, name) || Object.hasOwn(sight.description.fields, name);
  const last = shown.at(-1);
  const next =
    (isCut || entries.length > limit) && last
      ? `${path}/versions?limit=${limit}&after=${last.version}`
      : undefined;
  return versionsDocument(path, shown, {
    limit,
    basePath,
    next,
    about: newest.item,
    compared: shown.map(({ compared = {} }) => compared),
    more: ({ changed, by }) => ({
      ...(changed ? { changed: changed.filter(isSeen) } : {}),
      ...(sight.authors && by !== undefined ? { by } : {}),
    }),
  });
}

/** Returns the entries with a version before `after`, at most `most`. `isCut`: the read units end them earlier. */
async function entriesOf(
  versions: Versions,
  most: number,
  after: number | undefined,
): Promise<{ readonly entries: Entry[]; readonly isCut?: boolean }> {
  const entries: Entry[] = [];
  let newer: Version | undefined;
  // The version in which a removal ended an item is one less than that of the removal.
  for await (const version of versions.newestFirst(after)) {
    if (newer) entries.push(entryOf(newer, version));
    if (entries.length >= most) return { entries };
    if (versions.isSpent && entries.length > 0) return { entries, isCut: true };
    const { item, removal } = version;
    if (removal && item.version + 1 !== after)
      entries.push({ version: item.version + 1, change: 'removed', time: removal.at, by: removal.by });
    newer = version;
  }
  if (newer) entries.push(entryOf(newer, undefined));
  return { entries: entries.slice(0, most) };
}

function entryOf({ item, isRestored }: Version, older: Version | undefined): Entry {
  const { version, updatedAt: time, updatedBy: by } = item;
  const isNext = older && version - older.item.version === (older.removal ? 2 : 1);
  // An import brings an item back, too.
  const isBack = isRestored || (isNext && older.removal);
  const change = isBack ? 'restored' : version === 1 ? 'created' : 'updated';
  const compared = { after: item, before: isNext ? older.item : undefined };
  return {
    version,
    change,
    ...(isNext ? { changed: changedNames(older.item, item) } : {}),
    time,
    by,
    compared,
  };
}

/** Returns the names of the properties that differ. */
function changedNames(before: Item, after: Item): string[] {
  const names = new Set(
    [before, after].flatMap(({ values, binaries = {} }) => [
      ...Object.keys(values),
      ...Object.keys(binaries),
    ]),
  );
  return [...names].filter((name) => !isSame(before, after, name)).sort();
}

const isSame = (before: Item, after: Item, name: string): boolean =>
  jsonEqual(before.values[name] ?? null, after.values[name] ?? null) &&
  before.binaries?.[name]?.key === after.binaries?.[name]?.key;
