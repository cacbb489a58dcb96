import { LIST_FOR_PARAMETER } from '../../representations/forms/form.ts';
import type { ListAddress } from '../../representations/list.ts';
import type { View } from '../exchange.ts';
import { comparisonOf } from '../request/query/filters.ts';

const SHARED = ['sort', 'order', 'fields', 'expand'];

/** The address of the list: its path and the parameters that all of its pages share. */
export function pageAddress({
  request,
  resource,
  representation,
}: Pick<View, 'request' | 'resource' | 'representation'>): ListAddress {
  const isPage = representation.kind === 'page';
  return {
    path: request.basePath + request.path,
    identity: request.path,
    parameters: [...request.query].flatMap(([name, values]) =>
      SHARED.includes(name) ||
      (isPage && name === LIST_FOR_PARAMETER) ||
      comparisonOf(resource, name, request)
        ? values.filter((value) => !isPage || value !== '').map((value) => [name, value] as const)
        : [],
    ),
  };
}
