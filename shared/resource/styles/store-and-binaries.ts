import type { Action } from '../actions/action.ts';
import type { Description } from '../description/description.ts';
import type { EndpointFacts } from '../facts.ts';
import type { Endpoint, Route } from '../route.ts';
import { form, list, type OnItem } from './action-endpoints.ts';

/** The actions of a store, whose clients choose the identifiers. `register` stores several files. */
export interface StoreActions {
  readonly list: Action<'list'>;
  readonly read: Action<'file'>;
  readonly write: Action<'writeFile'>;
  readonly register: Action<'files'>;
  readonly remove: Action<'file'>;
}

/** The actions of binary properties. `whole` reads the item that has one. */
export interface BinaryActions {
  readonly whole: OnItem;
  readonly read: Action<'binary'>;
  readonly write: Action<'writeBinary'>;
  readonly remove: Action<'binary'>;
}

/**
 * Client-managed: the client chooses the URI. PUT creates or replaces, and the service stores the content
 * unchanged. POST on the store does so for several files. The URI of an item returns its bytes, so the forms are on
 * the page of the list. Below the item is the form that confirms its removal.
 */
export function store(path: string, identifier: string, actions: StoreActions): Route[] {
  const reads = { id: 'read', takes: 'file', run: actions.read } as const;
  const removes = { id: 'remove', takes: 'file', run: actions.remove, content: 'none' } as const;
  const item = `${path}/{${identifier}}`;
  return [
    {
      path,
      endpoints: {
        GET: list(actions.list),
        POST: {
          id: 'register',
          takes: 'files',
          run: actions.register,
          content: 'files',
          creates: true,
          readsNamed: actions.read,
        },
      },
    },
    {
      path: item,
      endpoints: {
        GET: { ...reads, content: 'none', shape: 'bytes' },
        PUT: { id: 'write', takes: 'writeFile', run: actions.write, content: 'bytes', creates: true },
        DELETE: { ...removes, clientManaged: true },
      },
    },
    form(`${item}/delete`, 'delete', { ...reads, run: withoutBytes(actions.read) }, { ...removes, reads }),
  ];
}

/** A form about bytes has no values: it needs only their version. */
const withoutBytes =
  (run: Action<'file'>): Action<'file'> =>
  async (input) => {
    const outcome = await run(input);
    if (outcome.kind !== 'found' || outcome.state.kind !== 'bytes') return outcome;
    return { ...outcome, state: { kind: 'emptyForm', version: outcome.state.bytes.etag } };
  };

/**
 * Returns the binary properties of items, at the path of the item with `?fields={name}`: one route for each declared
 * property, and in an open resource one for all other names.
 *
 * Source: Specification 2.26, 2.27, D.5.
 */
export const binaries = (
  path: `${string}{id}${string}`,
  description: Description,
  actions: BinaryActions,
  versions: Pick<Endpoint, 'timeGate'> = {},
): Route[] =>
  routesOf(path, description, {
    GET: { id: 'read', takes: 'binary', run: actions.read, content: 'none', shape: 'bytes', ...versions },
    PUT: {
      id: 'write',
      takes: 'writeBinary',
      run: actions.write,
      effect: 'change',
      refusals: ['conflict'],
      content: 'bytes',
      creates: true,
      whole: actions.whole,
    },
    DELETE: { id: 'remove', takes: 'binary', run: actions.remove, effect: 'change', content: 'none' },
  });

/** Returns the bytes of binary properties in a version of an item. Source: Specification 16.4. */
export const pastBinaries = (path: string, description: Description, run: Action<'version'>): Route[] =>
  routesOf(`${path}/{id}/versions/{version}`, description, {
    GET: { id: 'version', takes: 'version', run, content: 'none', shape: 'bytes' },
  });

function routesOf(path: string, { fields, open }: Description, endpoints: Route['endpoints']): Route[] {
  const declared = Object.entries(fields).flatMap(([name, field]): Route[] =>
    field.kind === 'binary'
      ? [{ path, binary: { kind: 'declared', name, accepts: field.accepts }, endpoints }]
      : [],
  );
  return open ? [...declared, { path, binary: { kind: 'undeclared' }, endpoints }] : declared;
}

/** Static bytes, built before deployment, such as the API description. */
export const publication = (
  path: string,
  facts: Pick<EndpointFacts, 'summary' | 'mediaTypes' | 'parameters'> & { readonly run: Action },
): Route[] => [
  { path, endpoints: { GET: { ...facts, takes: 'document', id: 'read', content: 'none', shape: 'bytes' } } },
];
