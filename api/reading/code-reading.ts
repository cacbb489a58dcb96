import type { lazily } from '../../shared/on-demand.ts';
import type { Caller } from '../../shared/resource/access/owner.ts';
import type { Item } from '../../shared/resource/item.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { Definition, FieldsOf } from '../definition.ts';
import type { Values } from '../fields/declared.ts';
import type { Filters, ItemOf, ListOptions, PlainOptions } from './list-filters.ts';

/** A resource that the code may read. `Own`: the name of its own one. `Names`: those of the others. */
export type Readable<Of, Own extends string, Names extends string> = Of extends Own
  ? Of
  : Of extends Definition<infer Name>
    ? Name extends Names | Own
      ? Of
      : 'Add it to reads'
    : never;

/** The fields of a resource; those of the own one, `F`, if its name is given. */
export type FieldsIn<Of, F> = Of extends Definition ? FieldsOf<Of> : F;

/**
 * The lists and items that code reads: of its own resource, which it names by a text, and of those in `reads` and `writes`. Lists
 * can be a moment old, and no write depends on them: two requests at the same time can read the same count. What one
 * transaction must decide belongs to `items.get`.
 */
export interface Reading<Own extends string, F, Names extends string> {
  /**
   * Reads the items that meet the filters, page by page: `for await (const loan of list(loans, { open: true })) …`.
   * @throws Error if a filter or an order is wrong
   * @throws ListTooLong if the order has no index, and at most 10,000 items in HTTP: a view then gets 400
   * @throws Unavailable if DynamoDB does not respond
   */
  readonly list: <const Of extends Definition | Own>(
    of: Readable<Of, Own, Names>,
    filters?: Filters<FieldsIn<Of, F>>,
    options?: ListOptions<FieldsIn<Of, F>>,
  ) => AsyncIterable<ItemOf<FieldsIn<Of, F>>>;
  /** Counts the items that meet the filters, exactly. It reads all of them. @throws as `list` */
  readonly count: <const Of extends Definition | Own>(
    of: Readable<Of, Own, Names>,
    filters?: Filters<FieldsIn<Of, F>>,
  ) => Promise<number>;
  /**
   * Reads an item, as last written. undefined: it does not exist, or the code may not see it.
   * @throws Unavailable if DynamoDB does not respond
   */
  readonly read: <const Of extends Definition | Own>(
    of: Readable<Of, Own, Names>,
    id: number | string,
  ) => Promise<Values<FieldsIn<Of, F>> | undefined>;
}

/** Code of an author: the name of its definition, and the resources that it may read. */
export interface Reader {
  readonly name: string;
  readonly resources: () => readonly Resource[];
}

/** Reads the items of a resource. A definition brings it along, so that code which reads nothing contains no store. */
export type ItemReader = ReturnType<
  typeof lazily<typeof import('./code-lists.ts'), ['countItems', 'pagesOf', 'readOne']>
>;

const readers = new WeakMap<Resource, ItemReader>();

/** Lets code read the items of a resource. */
export const letRead = (resource: Resource, reader: ItemReader): void => void readers.set(resource, reader);

/** Returns what reads the items of a resource. @throws Error for one that no definition made */
function readerOf(resource: Resource): ItemReader {
  const found = readers.get(resource);
  if (found) return found;
  throw new Error(`The items of ${resource.name} have no reader: define it by resource()`);
}

/** Returns a resource that code may read. @throws Error if its definition does not state it */
export function readableBy({ name, resources }: Reader, of: Resource | string): Resource {
  const wanted = typeof of === 'string' ? of : of.name;
  const found = resources().find((one) => one.name === wanted);
  if (found) return found;
  throw new Error(
    `The code of ${name} cannot read the items of ${wanted}: state reads: [${wanted}] in ${name}`,
  );
}

/** Returns the capability to read lists and items, for code of an author. `caller`: who sees them. */
export const readingFor = <Own extends string, F, Names extends string>(
  reader: Reader,
  caller: Caller,
): Reading<Own, F, Names> =>
  // The compiler has compared the code with the fields of the author.
  plainReadingFor(reader, caller) as unknown as Reading<Own, F, Names>;

/** Returns the same, whatever the fields are. */
export function plainReadingFor(reader: Reader, caller: Caller) {
  type Given = [of: Resource | string, filters?: object, options?: PlainOptions];
  async function* list(...[of, filters = {}, options = {}]: Given): AsyncGenerator<Item, undefined> {
    const resource = readableBy(reader, of);
    const pages = await readerOf(resource).pagesOf(resource, caller, filters, options);
    for await (const page of pages) yield* page;
    return undefined;
  }
  const count = async (...[of, filters = {}]: Given) => {
    const resource = readableBy(reader, of);
    return readerOf(resource).countItems(resource, caller, filters);
  };
  const read = async (of: Resource | string, id: number | string) => {
    const resource = readableBy(reader, of);
    return readerOf(resource).readOne(resource, caller, id);
  };
  return { list, count, read };
}
