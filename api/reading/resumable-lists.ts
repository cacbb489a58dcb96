import { lazily } from '../../shared/on-demand.ts';
import type { Caller } from '../../shared/resource/access/owner.ts';
import { descriptionOf, type Resource } from '../../shared/resource/resource.ts';
import { PlainList, ResumableList } from '../../shared/resource/schedule.ts';
import type { Definition } from '../definition.ts';
import {
  type FieldsIn,
  plainReadingFor,
  type Readable,
  type Reader,
  type Reading,
  readableBy,
} from './code-reading.ts';
import type { Filters, ItemOf, ListOptions, PlainOptions } from './list-filters.ts';

/** A list that `each` does not take: it could not go on behind an item, because it goes by identifiers. */
interface OnlyForAwait {
  readonly only: 'Read a list with sort or limit by for await';
}

/** What a list or another iterable has. */
type ValueOf<Source> = Source extends AsyncIterable<infer One> | Iterable<infer One> ? One : never;

/** The lists of code with `each`, as in `Reading`. */
interface Lists<Own extends string, F, Names extends string> {
  <const Of extends Definition | Own>(
    of: Readable<Of, Own, Names>,
    filters?: Filters<FieldsIn<Of, F>>,
  ): AsyncIterable<ItemOf<FieldsIn<Of, F>>>;
  <const Of extends Definition | Own>(
    of: Readable<Of, Own, Names>,
    filters: Filters<FieldsIn<Of, F>> | undefined,
    options: ListOptions<FieldsIn<Of, F>>,
  ): AsyncIterable<ItemOf<FieldsIn<Of, F>>> & OnlyForAwait;
}

/** What code with `each` reads, as in `Reading`. */
export type ResumableReading<Own extends string, F, Names extends string> = Omit<
  Reading<Own, F, Names>,
  'list'
> & { readonly list: Lists<Own, F, Names> };

/**
 * Calls the code for each item of a list, in the order of identifiers, and for each value of another iterable. One
 * transaction has the writes of an item, and how far the run is. A run that ends early goes on behind the last item, also
 * in another function. An item that is gone, or meets the filters no more, is left out. One call goes on at a time: the
 * code reads another list inside of it by `for await`. `Items`: those that the code writes.
 */
export type Each<Items> = <Source extends AsyncIterable<unknown> | Iterable<unknown>>(
  source: Source extends OnlyForAwait ? OnlyForAwait['only'] : Source,
  code: (item: ValueOf<Source>, tools: { readonly items: Items }) => unknown,
) => Promise<void>;

const { meetsFilters } = lazily(() => import('./code-lists.ts'), ['meetsFilters']);

/** Returns the capability to read lists and items, whose lists `each` can continue. `caller`: who sees them. */
export function resumableReading(reader: Reader, caller: Caller) {
  const plain = plainReadingFor(reader, caller);
  const list = (of: Resource | string, filters: object = {}, options?: PlainOptions) =>
    options ? new PlainList(plain.list(of, filters, options)) : resumable(readableBy(reader, of), filters);
  return { ...plain, list };

  function resumable(resource: Resource, filters: object): ResumableList {
    const { identifier } = descriptionOf(resource);
    const options = { sort: identifier.name };
    return new ResumableList({
      resource,
      read: (more) => plain.list(resource, { ...filters, ...more }, options),
      meets: async (item) => (await meetsFilters(resource, filters, item)) === true,
    });
  }
}
