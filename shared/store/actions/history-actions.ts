import type { Calls } from '../../resource/actions/action.ts';
import { found, missing, type Outcome } from '../../resource/actions/outcome.ts';
import { binaryField } from '../../resource/binary.ts';
import type { Item, Memento, Moment } from '../../resource/item.ts';
import type { LinkFact } from '../../resource/link.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import { restores } from '../../resource/route.ts';
import type { HistoryActions } from '../../resource/styles/history.ts';
import { readable } from '../form/attributes.ts';
import { listOf } from '../history/list.ts';
import { removedOf } from '../history/removed.ts';
import { Versions } from '../history/versions.ts';
import type { Version } from '../history/versions-table.ts';
import { bytesOf } from '../write/bind-binaries.ts';
import { restore, unknownVersion } from './restore.ts';

/** Returns the actions on the versions of items. Source: Specification 16. */
export const historyActions = (resource: Resource): HistoryActions => ({
  list: (input) => listOf(resource, input),
  removed: (input) => removedOf(resource, input),
  read: (input) => readVersion(resource, input),
  at: async ({ caller, id }, time) => (await new Versions(resource, caller, id).at(time))?.item.version,
  restore: (input) => restore(resource, input),
});

/** Reads a version, or its bytes of a binary property. */
async function readVersion(resource: Resource, input: Calls['version']): Promise<Outcome> {
  const { caller, id, binary: name } = input;
  const versions = new Versions(resource, caller, id);
  const version = await versions.version(input.version);
  if (!version) return unknownVersion(resource, input.version);
  const item = readable(resource.name, version.item);
  const bytes = name === undefined ? undefined : bytesOf(resource, item, name);
  if (bytes)
    return found({ kind: 'bytes', bytes: { ...bytes, lastModified: item.updatedAt, history: 'past' } });
  if (name !== undefined && binaryField(descriptionOf(resource), name))
    return missing(`Version ${version.item.version} has no ${name}`);
  return found({ kind: 'item', item, memento: await neighboursOf(resource, versions, version) });
}

/**
 * The outcome for an item that does not exist. If it has versions, the outcome leads to them. `detail`: as in `missing`.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function missingItem(
  resource: Resource,
  { caller, id }: Pick<Calls['item'], 'caller' | 'id'>,
  detail?: string,
): Promise<Outcome> {
  const last = await new Versions(resource, caller, id).newest();
  return missing(detail, last ? [{ rel: 'version-history', href: `/${resource.name}/${id}/versions` }] : []);
}

/** Returns the versions before and after one. A removal has no representation, so it is not among them. */
async function neighboursOf(
  resource: Resource,
  versions: Versions,
  { item, removal }: Version,
): Promise<Memento> {
  const momentOf = (one: Version | undefined): Moment | undefined =>
    one && { version: one.item.version, time: one.item.updatedAt, item: one.item };
  const { version } = item;
  const older = await versions.newest(version);
  const next = removal ? version + 2 : version + 1;
  const isPresent = (await versions.present())?.item.version === version;
  const moments = {
    version,
    previous: momentOf(older),
    next: isPresent ? undefined : momentOf(await versions.version(next)),
  };
  return { ...moments, links: linksOf(resource, item, moments) };
}

/** Returns the links of an item as it was in a version. */
function linksOf(
  resource: Resource,
  { id }: Item,
  { version, previous, next }: Omit<Memento, 'links'>,
): LinkFact[] {
  const path = `/${resource.name}/${id}`;
  const past = (rel: string, one: number | undefined): LinkFact[] =>
    one === undefined ? [] : [{ rel, href: `${path}/versions/${one}` }];
  const restore = { rel: 'restore', href: `${path}/versions/${version}/restore`, title: 'Restore' };
  return [
    ...past('self', version),
    ...past('prev', previous?.version),
    ...past('next', next?.version),
    { rel: 'original', href: path },
    { rel: 'version-history', href: `${path}/versions` },
    ...(restores(resource) ? [{ ...restore, method: 'POST' as const }] : []),
  ];
}
