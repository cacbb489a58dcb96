import type { ListAddress } from '../../representations/list.ts';
import type { Received } from '../exchange.ts';

/** The address of the list: its path and the parameters that all of its pages share. */
export function pageAddress({ request, resource }: Received): ListAddress {
  const shared = ['sort', 'fields', ...Object.keys(resource.filters)];
  return {
    path: request.basePath + request.path,
    identity: request.path,
    parameters: shared.flatMap((name) =>
      (request.query.get(name) ?? []).map((value) => [name, value] as const),
    ),
  };
}
