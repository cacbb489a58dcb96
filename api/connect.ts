import type { LinkFact } from '../shared/resource/link.ts';
import type { Item } from '../shared/resource/item.ts';
import { restrictionsIn } from '../shared/resource/description/references.ts';
import type { Referrer, Resource } from '../shared/resource/resource.ts';

/** The facts of a resource that follow from others: the lists below its items, and the references to its items. */
export interface Others {
  /** The names of the resources with a list below each item. */
  readonly lists: readonly string[];
  /** The resources whose references keep an item from removal. */
  readonly referredBy: () => readonly Referrer[];
}

const NONE: Others = { lists: [], referredBy: () => [] };
const known = new WeakMap<Resource, Others>();

/** What the other resources say of this one, as far as `connect` has said it. */
export const othersOf = (resource: Resource): Others => known.get(resource) ?? NONE;

/** Says what follows from other resources. The bundler writes this call. */
export const connectOne = (resource: Resource, others: Others): void => {
  known.set(resource, others);
};

/** The links of an item to the lists below it. */
export const listLinks = (resource: Resource, { id }: Item): LinkFact[] =>
  othersOf(resource).lists.map((rel) => ({ rel, href: `/${resource.name}/${id}/${rel}` }));

/** What follows for a resource from the others. */
export function othersIn(registry: readonly Resource[], { name }: Resource) {
  const isBelow = ({ routes, name: list }: Resource) =>
    routes.some(({ path, endpoints: { GET } }) => path === `/${name}/{id}/${list}` && GET?.listedBy !== undefined);
  const restricts = ({ description }: Resource) =>
    description !== undefined && restrictionsIn(description, name).length > 0;
  return {
    lists: registry.filter(isBelow).map((one) => one.name),
    referredBy: registry.filter(restricts),
  };
}

/** Connects the resources of a service with each other. */
export function connect(registry: readonly Resource[]): void {
  for (const one of registry) {
    const { lists, referredBy } = othersIn(registry, one);
    const referrers = referredBy.flatMap(({ name, description }) => (description ? [{ name, description }] : []));
    connectOne(one, { lists, referredBy: () => referrers });
  }
}
