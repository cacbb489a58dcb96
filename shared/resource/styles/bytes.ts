import { type Action, needing } from '../actions/action.ts';
import type { Description } from '../description/description.ts';
import type { Endpoint, Route } from '../route.ts';
import { form, list, named, type OnItem } from './named-action.ts';

/** The actions of a store, whose clients choose the identifiers. `register` stores several files. */
export interface StoreActions {
  readonly list: Action<'page'>;
  readonly read: Action<'name'>;
  readonly write: Action<'name' | 'sent'>;
  readonly register: Action;
  readonly remove: Action<'name'>;
}

/** The actions of binary properties. `whole` reads the item that has one. */
export interface BinaryActions {
  readonly whole: OnItem;
  readonly read: Action<'id' | 'binary'>;
  readonly write: Action<'id' | 'binary' | 'sent'>;
  readonly remove: Action<'id' | 'binary'>;
}

/**
 * Client-managed: the client chooses the URI. PUT creates or replaces, and the service stores the content
 * unchanged. POST on the store does so for several files. The URI of an item returns its bytes, so the forms are on
 * the page of the list. Below the item is the form that confirms its removal.
 */
export function store(path: string, identifier: string, actions: StoreActions): Route[] {
  const readsNamed = needing(['name'], actions.read);
  const removes: Endpoint = { ...named('remove', ['name'], actions.remove), content: 'none' };
  const item = `${path}/{${identifier}}`;
  return [
    {
      path,
      endpoints: {
        GET: list(actions.list),
        POST: { id: 'register', run: actions.register, content: 'files', creates: true, readsNamed },
      },
    },
    {
      path: item,
      endpoints: {
        GET: { id: 'read', run: readsNamed, content: 'none', shape: 'bytes' },
        PUT: { ...named('write', ['name', 'sent'], actions.write), content: 'bytes', creates: true },
        DELETE: { ...removes, clientManaged: true },
      },
    },
    form(`${item}/delete`, 'delete', { id: 'read', run: readsNamed }, removes),
  ];
}

/**
 * The binary properties of items, at the path of the item with `?fields={name}`: one route for each declared property,
 * and in an open resource one for all other names.
 *
 * Source: Specification 2.26, 2.27, D.5.
 */
export function binaries(
  path: `${string}{id}${string}`,
  { fields, open }: Description,
  actions: BinaryActions,
): Route[] {
  const whole = needing(['id'], actions.whole);
  const endpoints: Route['endpoints'] = {
    GET: { ...named('read', ['id', 'binary'], actions.read), content: 'none', shape: 'bytes' },
    PUT: {
      ...named('write', ['id', 'binary', 'sent'], actions.write, undefined, ['conflict']),
      content: 'bytes',
      creates: true,
      whole,
    },
    DELETE: { ...named('remove', ['id', 'binary'], actions.remove), content: 'none' },
  };
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
  facts: Pick<Endpoint, 'run' | 'summary' | 'mediaTypes'>,
): Route[] => [{ path, endpoints: { GET: { ...facts, id: 'read', content: 'none', shape: 'bytes' } } }];
