import { formatLinks } from '../../http/fields/link.ts';
import type { Calls } from '../../resource/actions/action.ts';
import {
  created,
  found,
  missing,
  type Outcome,
  refused,
  replaced,
  stale,
} from '../../resource/actions/outcome.ts';
import { binaryField } from '../../resource/binary.ts';
import type { Item, Moment } from '../../resource/item.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import type { HistoryActions } from '../../resource/styles/history.ts';
import { readable } from '../form/attributes.ts';
import type { Version } from '../history/kept-version.ts';
import { listOf } from '../history/list.ts';
import { removedOf, unlist } from '../history/removed.ts';
import { Versions } from '../history/versions.ts';
import { answerWrites } from '../idempotency/answers.ts';
import { itemsOf } from '../items/items.ts';
import { conflictOutcome } from '../items/outcomes.ts';
import { bytesOf } from '../write/bind-binaries.ts';
import { newItem } from '../write/new-item.ts';
import { wholeValues } from '../write/replacement.ts';
import { type Restoration, restorationOf } from './restoration.ts';

/** The actions on the versions of items. Source: Specification 16. */
export function historyActions(resource: Resource): HistoryActions {
  const pathOf = ({ id }: Pick<Item, 'id'>) => `/${resource.name}/${id}`;
  const unknown = ({ version }: Pick<Calls['version'], 'version'>) =>
    missing(
      Number.isNaN(version)
        ? undefined
        : `There is no version ${version} of this ${descriptionOf(resource).singular}`,
    );

  return {
    list: (input) => listOf(resource, input),

    removed: (input) => removedOf(resource, input),

    read: async (input) => {
      const { caller, id, binary: name } = input;
      const versions = new Versions(resource, caller, id);
      const version = await versions.version(input.version);
      if (!version) return unknown(input);
      const item = readable(resource.name, version.item);
      const bytes = name === undefined ? undefined : bytesOf(resource, item, name);
      if (bytes)
        return found({ kind: 'bytes', bytes: { ...bytes, lastModified: item.updatedAt, history: 'past' } });
      if (name !== undefined && binaryField(descriptionOf(resource), name))
        return missing(`Version ${version.item.version} has no ${name}`);
      return found({ kind: 'item', item, memento: await neighboursOf(versions, version) });
    },

    at: async ({ caller, id }, time) => (await new Versions(resource, caller, id).at(time))?.item.version,

    restore: async (input) => {
      const { caller, id, fieldLimits } = input;
      const versions = new Versions(resource, caller, id);
      const wanted = await versions.version(input.version);
      if (!wanted) return unknown(input);
      const present = input.current ?? (await itemsOf(resource, caller).get(id));
      const removed = present ? undefined : await versions.newest();
      const last = present ?? (removed?.removal && removed.item);
      // The item exists again, or its removal is not visible yet.
      if (!last) return stale;
      for (const one of [wanted.item, last]) readable(resource.name, one);
      const result = await restorationOf(resource, wanted.item, last, {
        fieldLimits,
        isRemoved: !present,
      });
      if (result.kind === 'refused') return result;
      if (result.kind === 'otherState') {
        const newest = versions.newestFirst(undefined, 2);
        await newest.next();
        const older = present && (await newest.next()).value?.item;
        const isSame = older?.values[result.field] === last.values[result.field];
        return otherState(input, result.field, wanted.item, isSame && older ? older : last);
      }
      return present ? replace(input, result, present) : recreate(input, result, last);
    },
  };

  /** Refuses to change the state. `restorable`: the newest version with the present or last state. */
  function otherState(
    { id, basePath }: Calls['version'],
    field: string,
    wanted: Item,
    restorable: Item,
  ): Outcome {
    const state = restorable.values[field];
    const href = `${basePath}${pathOf({ id })}/versions/${restorable.version}`;
    const links = [{ rel: 'restorable', href, method: 'GET' }];
    return refused(
      'conflict',
      `The state is ${state}, and was ${wanted.values[field]} in this version. A restoration makes no transition. Restore a version with the state ${state}: the newest is in links`,
      { members: { currentStatus: state, links }, headers: { Link: formatLinks(links) } },
    );
  }

  /** Gives an item the values and the bytes of a version. */
  async function replace(
    input: Calls['version'],
    { values, binaries }: Allowed,
    item: Item,
  ): Promise<Outcome> {
    const { caller, now, idempotency, expected } = input;
    if (expected && (expected.kind !== 'version' || expected.version !== item.version)) return stale;
    const result = await itemsOf(resource, caller).replace(
      item.id,
      wholeValues(descriptionOf(resource).plan, values),
      {
        now,
        version: item.version,
        before: item,
        stored: {
          set: binaries,
          remove: Object.keys(item.binaries ?? {}).filter((name) => !Object.hasOwn(binaries, name)),
        },
        restores: true,
        answersOf: idempotency && ((one) => answerWrites(idempotency, replaced(one, pathOf(one)), now)),
      },
    );
    return result.kind === 'written' ? replaced(result.item, pathOf(result.item)) : conflictOutcome(result);
  }

  /** Creates a removed item anew, with its old identifier and the next version. */
  async function recreate(
    input: Calls['version'],
    { values, binaries }: Allowed,
    last: Item,
  ): Promise<Outcome> {
    const { caller, now, idempotency } = input;
    const { createdAt, createdBy, owner } = last;
    const version = last.version + 2;
    const item = {
      ...newItem(resource, caller, now, values, Number(last.id)),
      ...{ version, createdAt, createdBy, owner, binaries },
    };
    const outcomeOf = (one: Item) => created(one, pathOf(one));
    const result = await itemsOf(resource, caller).insert(item, {
      restores: true,
      last,
      others: [unlist(resource, last)],
      answersOf: idempotency && ((one) => answerWrites(idempotency, outcomeOf(one), now)),
    });
    if (result.kind === 'written') return outcomeOf(result.item);
    return result.kind === 'refused' ? result : stale;
  }
}

/** The values and the bytes that a restoration sets. */
type Allowed = Extract<Restoration, { kind: 'allowed' }>;

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

/** The versions before and after one. A removal has no representation, so it is not among them. */
async function neighboursOf(versions: Versions, { item, removal }: Version) {
  const momentOf = (one: Version | undefined): Moment | undefined =>
    one && { version: one.item.version, time: one.item.updatedAt, item: one.item };
  const { version } = item;
  const older = await versions.newest(version);
  const next = removal ? version + 2 : version + 1;
  const isPresent = (await versions.present())?.item.version === version;
  return {
    version,
    previous: momentOf(older),
    next: isPresent ? undefined : momentOf(await versions.version(next)),
  };
}
