import { type Settings, settingsOf } from '../shared/aws/settings.ts';
import {
  clearedReferencesOf,
  referencesOf,
  restrictionsIn,
} from '../shared/resource/description/references.ts';
import type { Item } from '../shared/resource/item.ts';
import type { LinkFact } from '../shared/resource/link.ts';
import type { Referrer, Resource } from '../shared/resource/resource.ts';
import { readingFor } from './reading/code-reading.ts';
import { keptCode } from './reading/kept-code.ts';
import { hasLongActions, longCode } from './reading/long-code.ts';

/** The facts of a resource that follow from others: the lists below its items, and the references to its items. */
export interface Others {
  /** The links of an item to the lists of its referring items. In `href`, `{id}` is its identifier. */
  readonly lists: readonly Pick<LinkFact, 'rel' | 'href' | 'title'>[];
  /** The resources whose references keep an item from removal. */
  readonly referredBy: () => readonly Referrer[];
  /** True if other items lose their reference to an item that is gone: `clear`. */
  readonly isCleared: boolean;
  /** The names of the items of others, each with that of its resource. */
  readonly names: Readonly<Record<string, string>>;
  /** Reads what `needs` of the resource names; undefined: it states none. */
  readonly settings?: Settings;
  /** Makes the capability to read lists and items; undefined: `reads` names no resource. */
  readonly reading?: typeof readingFor;
  /** What its long actions need; undefined: it has none. */
  readonly long?: typeof longCode;
  /** Reads the totals that the service keeps; undefined: it keeps none. */
  readonly kept?: typeof keptCode;
}

const NONE: Others = { lists: [], referredBy: () => [], isCleared: false, names: {} };
const known = new WeakMap<Resource, Others>();

/** Returns what the other resources say of this one, as far as `connect` has said it. */
export const othersOf = (resource: Resource): Others => known.get(resource) ?? NONE;

/** Says what follows from other resources. The bundler writes this call. */
export const connectOne = (resource: Resource, others: Others): void => {
  known.set(resource, others);
};

/** Returns what the long actions of a resource need. @throws Error if nothing has connected them */
export function longOf(resource: Resource): typeof longCode {
  const { long } = othersOf(resource);
  if (long) return long;
  throw new Error(`${resource.name} is not connected, so its long actions do not run`);
}

/** Returns the links of an item to the lists below it, and to the lists that its referring items have otherwise. */
export const listLinks = (resource: Resource, { id }: Item): LinkFact[] =>
  othersOf(resource).lists.map(({ href, ...one }) => ({
    ...one,
    href: href.replace('{id}', encodeURIComponent(id)),
  }));

/** Returns what follows for a resource from the others. */
export function othersIn(registry: readonly Resource[], { name, description }: Resource) {
  const listsOf = ({ routes, name: list, title, description }: Resource) => {
    const path = `/${name}/{id}/${list}`;
    const below = routes.find((one) => one.path === path)?.endpoints.GET?.listedBy;
    const references = description ? referencesOf(description) : [];
    const others = references.flatMap(({ field, to }) =>
      to.resource === name && field !== below ? [field] : [],
    );
    return [...(below === undefined ? [] : [below]), ...others].map((field, at, all) => ({
      // The first list has the name of its resource, and each other one that of its reference too.
      rel: at === 0 ? list : `${list}-by-${field.replace(/Id$/, '')}`,
      href: field === below ? path : `/${list}?${field}={id}`,
      ...(all.length > 1 ? { title: `${title} (${description?.fields[field]?.label ?? field})` } : {}),
    }));
  };
  const restricts = ({ description }: Resource) =>
    description !== undefined && restrictionsIn(description, name).length > 0;
  const own = description?.singular;
  const names = registry.flatMap(({ name: other, description: item }) =>
    item && item.singular !== own && item.singular !== 'item' ? [[item.singular, other] as const] : [],
  );
  return {
    names: Object.fromEntries(names),
    lists: registry.flatMap(listsOf),
    referredBy: registry.filter(restricts),
    isCleared: registry.flatMap(clearedReferencesOf).some(({ to }) => to.resource === name),
  };
}

/** True if the code of a resource reads others. */
export const readsOthers = ({ uses }: Resource): boolean => uses.some((use) => 'reads' in use);

/** Connects the resources of a service with each other. */
export function connect(registry: readonly Resource[]): void {
  for (const one of registry) {
    const { lists, referredBy, isCleared, names } = othersIn(registry, one);
    const referrers = referredBy.flatMap(({ name, description }) =>
      description ? [{ name, description }] : [],
    );
    const settings = one.needs ? { settings: settingsOf(one.needs) } : {};
    const reading = readsOthers(one) ? { reading: readingFor } : {};
    const long = hasLongActions(one) ? { long: longCode } : {};
    const kept = one.keptTotals ? { kept: keptCode } : {};
    connectOne(one, {
      lists,
      referredBy: () => referrers,
      isCleared,
      names,
      ...settings,
      ...reading,
      ...long,
      ...kept,
    });
  }
}
