import { CHOOSE_INPUT, LIST_FOR_PARAMETER } from '../../representations/forms/form.ts';
import type { Place } from '../../representations/representation.ts';

/** The list shows items of which a person chooses one for a form. Addresses have the base path. */
export interface Picking {
  /** The address of the form with all of its values. */
  readonly form: string;
  /** The address of the form with an item of the list as the chosen one. */
  readonly chosen: (id: number | string) => string;
}

/** The page of a form of this service, with its values. No other address may be in the query. */
const FORM = /^\/[a-z][a-z0-9-]*\/(?:new|\d{1,16}\/edit)\?/;

/**
 * Reads from the query for which form the list is; undefined for any other list. The query carries the values of the
 * form, so the service stores nothing.
 *
 * Source: Specification 6.3.
 */
export function picking({ query, basePath }: Pick<Place, 'query' | 'basePath'>): Picking | undefined {
  const address = query.get(LIST_FOR_PARAMETER)?.[0];
  if (address === undefined || !FORM.test(address)) return undefined;
  const at = address.indexOf('?');
  const path = basePath + address.slice(0, at);
  const values = new URLSearchParams(address.slice(at));
  const field = values.get(CHOOSE_INPUT);
  if (field === null || field.startsWith(':')) return undefined;
  return {
    form: `${path}?${values}`,
    chosen: (id) => {
      const filled = new URLSearchParams(values);
      filled.set(field, String(id));
      return `${path}?${filled}`;
    },
  };
}

/** The address of the list without filters. It stays a list for the form. */
export function wholeList({ query, basePath, path }: Place): string {
  const address = query.get(LIST_FOR_PARAMETER)?.[0];
  const search = address === undefined ? '' : `?${new URLSearchParams([[LIST_FOR_PARAMETER, address]])}`;
  return basePath + path + search;
}
