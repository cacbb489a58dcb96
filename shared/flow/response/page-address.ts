import type { ListAddress } from '../../representations/list.ts';
import { comparisonOf } from '../../resource/lists/filter-parameter.ts';
import type { View } from '../exchange.ts';

const SHARED = ['sort', 'order', 'fields', 'expand'];

/** The address of the list: its path and the parameters that all of its pages share. */
export function pageAddress({ request, resource }: Pick<View, 'request' | 'resource'>): ListAddress {
  return {
    path: request.basePath + request.path,
    identity: request.path,
    parameters: [...request.query].flatMap(([name, values]) =>
      SHARED.includes(name) || comparisonOf(resource, name, request)
        ? values.map((value) => [name, value] as const)
        : [],
    ),
  };
}
