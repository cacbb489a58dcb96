import type { Resource } from '../resource.ts';
import { scalarFields, suffixesOf } from './filter.ts';

/** Parameters of every list that a client chooses. */
const PAGE = ['sort', 'order', 'limit', 'fields'];

/**
 * The URI template of a list: all of its filters, and the parameters that choose the page. `withAuthors`: the caller
 * can filter by the authors of items.
 *
 * Source: Specification 4.25; RFC 6570 §3.2.8.
 */
export function listTemplate(resource: Resource, path: string, withAuthors = false): string {
  if (withAuthors) return path + queryOf(resource, true);
  const query = known.get(resource) ?? queryOf(resource);
  known.set(resource, query);
  return path + query;
}

/** The query of a template by resource: every list needs it. */
const known = new WeakMap<Resource, string>();

function queryOf({ description, filters, relations }: Resource, withAuthors = false): string {
  if (!description) return '';
  const fields = Object.entries(scalarFields(description, withAuthors));
  const equal = [...(description.identifier.name === 'id' ? [] : ['id']), ...fields.map(([name]) => name)];
  const ranges = fields.flatMap(([name, field]) => suffixesOf(field).map((suffix) => `${name}.${suffix}`));
  const page = Object.keys(relations).length > 0 ? [...PAGE, 'expand'] : PAGE;
  return `{?${[...equal, ...Object.keys(filters), ...ranges, ...page].join(',')}}`;
}
