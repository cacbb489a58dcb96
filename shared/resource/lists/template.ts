import type { Resource } from '../resource.ts';
import { scalarFields } from './filter.ts';

const RANGES = ['gte', 'gt', 'lte', 'lt'];
/** Parameters of every list that a client chooses. */
const PAGE = ['sort', 'order', 'limit', 'fields'];

/**
 * The URI template of a list: all of its filters, and the parameters that choose the page.
 *
 * Source: Specification 4.25; RFC 6570 §3.2.8.
 */
export function listTemplate({ description, filters, relations }: Resource, path: string): string {
  if (!description) return path;
  const fields = Object.entries(scalarFields(description));
  const [identifier] = fields[0] ?? [];
  const equal = [...(identifier === 'id' ? [] : ['id']), ...fields.map(([name]) => name)];
  const ranges = fields.flatMap(([name, { kind }]) =>
    [...RANGES, ...(kind === 'text' || kind === 'any' ? ['prefix'] : [])].map(
      (suffix) => `${name}.${suffix}`,
    ),
  );
  const page = Object.keys(relations).length > 0 ? [...PAGE, 'expand'] : PAGE;
  return `${path}{?${[...equal, ...Object.keys(filters), ...ranges, ...page].join(',')}}`;
}
