import type { Caller } from '../../resource/access/owner.ts';
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
import { descriptionOf, planOf } from '../../resource/description/described.ts';
import type { Item, Moment } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import type { HistoryActions } from '../../resource/styles/history.ts';
import { bytesOf } from '../binaries/bytes-of.ts';
import { answerWrites } from '../idempotency/answers.ts';
import { conflictOutcome } from '../item-actions.ts';
import { readable } from '../items/attributes.ts';
import { itemsOf } from '../items/items.ts';
import { newItem } from '../items/new-item.ts';
import { problemOf } from '../own/judge.ts';
import { wholeValues } from '../write/replacement.ts';
import type { Version } from './kept-version.ts';
import { listOf } from './list.ts';
import { removedOf, unlist } from './removed.ts';
import { Versions } from './versions.ts';

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

    at: async ({ caller, id }, time) => {
      for await (const { item, removal } of new Versions(resource, caller, id).newestFirst()) {
        if (removal && removal.at <= time) return undefined;
        if (item.updatedAt <= time) return item.version;
      }
      return undefined;
    },

    restore: async (input) => {
      const { caller, id } = input;
      const versions = new Versions(resource, caller, id);
      const wanted = await versions.version(input.version);
      if (!wanted) return unknown(input);
      readable(resource.name, wanted.item);
      const item = input.current ?? (await itemsOf(resource, caller).get(id));
      return item ? replace(input, wanted.item, item) : recreate(input, wanted.item, versions);
    },
  };

  /** Gives an item the values and the bytes of a version. Every rule of a PUT holds. */
  async function replace(input: Calls['version'], wanted: Item, item: Item): Promise<Outcome> {
    const { caller, now, idempotency, fieldLimits, expected } = input;
    if (expected && (expected.kind !== 'version' || expected.version !== item.version)) return stale;
    const field = resource.process?.field;
    if (field !== undefined && item.values[field] !== wanted.values[field])
      return refused(
        'conflict',
        `The state is ${item.values[field]} and was ${wanted.values[field]}. A restoration makes no transition. Make it first`,
        { members: { currentStatus: item.values[field] } },
      );
    const kept = fieldLimits?.kept ?? [];
    const judged = await judgedValues(withKept(wanted.values, item.values, kept), item.values);
    if (judged.kind === 'refused') return judged;
    const before = item.binaries ?? {};
    const after = withKept(wanted.binaries ?? {}, before, kept);
    const result = await itemsOf(resource, caller).replace(
      item.id,
      wholeValues(planOf(descriptionOf(resource)), judged.values),
      {
        now,
        version: item.version,
        before: item,
        stored: { set: after, remove: Object.keys(before).filter((name) => !Object.hasOwn(after, name)) },
        restores: true,
        answersOf: idempotency && ((one) => answerWrites(idempotency, replaced(one, pathOf(one)), now)),
      },
    );
    return result.kind === 'written' ? replaced(result.item, pathOf(result.item)) : conflictOutcome(result);
  }

  /** Creates a removed item anew, with its old identifier and the next version. */
  async function recreate(input: Calls['version'], wanted: Item, versions: Versions): Promise<Outcome> {
    const { caller, now, idempotency, fieldLimits } = input;
    const { value: last } = await versions.newestFirst().next();
    // The item exists again, or its removal is not visible yet.
    if (!last?.removal) return stale;
    const kept = fieldLimits?.kept ?? [];
    const judged = await judgedValues(withKept(wanted.values, last.item.values, kept), undefined);
    if (judged.kind === 'refused') return judged;
    const item: Item = {
      ...newItem(resource, caller, now, judged.values, Number(wanted.id)),
      version: last.item.version + 2,
      createdAt: wanted.createdAt,
      createdBy: wanted.createdBy,
      owner: wanted.owner,
      binaries: withKept(wanted.binaries ?? {}, last.item.binaries ?? {}, kept),
    };
    const outcomeOf = (one: Item) => created(one, pathOf(one));
    const result = await itemsOf(resource, caller).insert(item, {
      restores: true,
      unlisted: unlist(resource, last.item),
      answersOf: idempotency && ((one) => answerWrites(idempotency, outcomeOf(one), now)),
    });
    if (result.kind === 'written') return outcomeOf(result.item);
    return result.kind === 'refused' ? result : stale;
  }

  /** The values of a version by the rules of this release. `present`: those of the item; undefined for a removed one. */
  async function judgedValues(values: Item['values'], present: Item['values'] | undefined) {
    const problem = problemOf(resource, values, present);
    if (problem) return { kind: 'refused', problem } as const;
    return (await resource.complete?.(values)) ?? ({ kind: 'complete', values } as const);
  }
}

/**
 * The outcome for an item that does not exist. If it has versions, the outcome leads to them.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function missingItem(resource: Resource, caller: Caller, id: number): Promise<Outcome> {
  const { value: last } = await new Versions(resource, caller, id).newestFirst().next();
  return missing(
    undefined,
    last ? [{ rel: 'version-history', href: `/${resource.name}/${id}/versions` }] : [],
  );
}

/** The members of a version, with the present or last ones under the names that the caller cannot set. */
function withKept<Member>(
  wanted: Readonly<Record<string, Member>>,
  present: Readonly<Record<string, Member>>,
  kept: readonly string[],
): Record<string, Member> {
  const members: Record<string, Member> = Object.assign(Object.create(null), wanted);
  for (const name of kept) {
    const value = present[name];
    if (value === undefined) delete members[name];
    else members[name] = value;
  }
  return members;
}

/** The versions before and after one. A removal has no representation, so it is not among them. */
async function neighboursOf(versions: Versions, { item, removal }: Version) {
  const momentOf = (one: Version | undefined): Moment | undefined =>
    one && { version: one.item.version, time: one.item.updatedAt, item: one.item };
  const { version } = item;
  const older = await versions.newestFirst(version).next();
  const next = removal ? version + 2 : version + 1;
  const isPresent = (await versions.present())?.item.version === version;
  return {
    version,
    previous: momentOf(older.value),
    next: isPresent ? undefined : momentOf(await versions.version(next)),
  };
}
