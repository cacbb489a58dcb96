import type { ListAddress } from '../../representations/list.ts';
import type { Received } from '../exchange.ts';
import { comparisonOf } from '../request/filters.ts';

const SHARED = ['sort', 'order', 'fields', 'expand'];

/** The address of the list: its path and the parameters that all of its pages share. */
export function pageAddress({ request, resource }: Received): ListAddress {
  return {
    path: request.basePath + request.path,
    identity: request.path,
    parameters: [...request.query].flatMap(([name, values]) =>
      SHARED.includes(name) || comparisonOf(resource, name)
        ? values.map((value) => [name, value] as const)
        : [],
    ),
  };
}
