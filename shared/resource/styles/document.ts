import type { Endpoint, Route } from '../route.ts';

/** A document of the service, such as the root. `id`: the name of its schema in the description. */
export const document = (
  path: string,
  facts: Pick<Endpoint, 'id' | 'run' | 'summary' | 'fields' | 'parameters' | 'plain' | 'signsIn'>,
): Route[] => [{ path, endpoints: { GET: { ...facts, content: 'none', shape: 'document' } } }];
