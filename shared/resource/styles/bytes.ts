import { type Action, needing } from '../actions/action.ts';
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

/** The actions of a binary property. `whole` reads the item that has it. */
export interface PartActions {
  readonly whole: OnItem;
  readonly read: OnItem;
  readonly write: Action<'id' | 'sent'>;
  readonly remove: OnItem;
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

/** A binary property, at the path of its item with `?fields={part}`. `typePrefix`: the beginning of its media type. */
export function binaryPart(
  path: `${string}{id}${string}`,
  { part, typePrefix }: { readonly part: string; readonly typePrefix: string },
  actions: PartActions,
): Route[] {
  const whole = needing(['id'], actions.whole);
  return [
    {
      path,
      part,
      typePrefix,
      endpoints: {
        GET: { ...named('read', ['id'], actions.read), content: 'none', shape: 'bytes' },
        PUT: { ...named('write', ['id', 'sent'], actions.write), content: 'bytes', creates: true, whole },
        DELETE: { ...named('remove', ['id'], actions.remove), content: 'none' },
      },
    },
  ];
}

/** Static bytes, built before deployment, such as the API description. */
export const publication = (path: string, run: Action, mediaTypes: readonly string[]): Route[] => [
  { path, endpoints: { GET: { id: 'read', run, content: 'none', shape: 'bytes', mediaTypes } } },
];
