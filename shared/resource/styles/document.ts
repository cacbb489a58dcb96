import type { Action } from '../actions/action.ts';
import type { EndpointFacts } from '../facts.ts';
import type { Route } from '../route.ts';

type DocumentFacts = Pick<EndpointFacts, 'id' | 'summary' | 'fields' | 'parameters' | 'plain'>;

/** Returns a document of the service, such as the root. `id`: the name of its schema in the description. */
export const document = (path: string, facts: DocumentFacts & { readonly run: Action }): Route[] => [
  { path, endpoints: { GET: { ...facts, takes: 'document', content: 'none', shape: 'document' } } },
];
