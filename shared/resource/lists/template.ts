import type { Reader } from '../access/access.ts';
import type { Resource } from '../resource.ts';
import { bySight } from './by-sight.ts';
import { suffixesOf, visibleScalars } from './filter.ts';

/** Parameters of every list that a client chooses. */
const PAGE = ['sort', 'order', 'limit', 'fields'];

/**
 * The URI template of a list: its filters, and the parameters that choose the page. It leaves out comparisons of
 * identifiers, whose order means nothing, and the filters of properties that the reader does not see.
 *
 * Source: Specification 4.25; RFC 6570 §3.2.8.
 */
export const listTemplate = (resource: Resource, path: string, reader: Reader | undefined): string =>
  path + queryOf(resource, reader);

const queryOf = bySight(
  ({ description }: Resource) => description,
  ({ description, filters, relations }, reader) => {
    if (!description) return '';
    const visible = visibleScalars(description, reader);
    const fields = Object.entries(visible);
    const named = Object.keys(filters).filter((one) =>
      Object.hasOwn(visible, (filters[one] as string).split('.')[0] as string),
    );
    const equal = [...(description.identifier.name === 'id' ? [] : ['id']), ...fields.map(([name]) => name)];
    const identifiers = [description.identifier.name, ...Object.values(relations).map(({ field }) => field)];
    const ranges = fields.flatMap(([name, field]) =>
      identifiers.includes(name) ? [] : suffixesOf(field).map((suffix) => `${name}.${suffix}`),
    );
    const page = Object.keys(relations).length > 0 ? [...PAGE, 'expand'] : PAGE;
    return `{?${[...equal, ...named, ...ranges, ...page].join(',')}}`;
  },
);
