import type { Action, Shaped } from '../actions/action.ts';
import type { ActionFacts, FormKind } from '../facts.ts';
import type { Endpoint, NamedAction, Route } from '../route.ts';

// The endpoints that several styles have. Source: Specification C.14 to C.17, 1.2, 1.3 (the styles).

/** An action on the item whose integer identifier is in the path. */
export type OnItem = Action<'item'>;

/** Returns the endpoint of GET that lists items. */
export const list = (run: Action<'list'>): Endpoint => ({
  id: 'list',
  takes: 'list',
  run,
  content: 'none',
  shape: 'list',
});

/** Returns the endpoint of GET that reads an item. */
export const read = (run: OnItem): Endpoint => ({
  id: 'read',
  takes: 'item',
  run,
  content: 'none',
  shape: 'item',
});

/** Returns the endpoint of POST that creates an item, or several if an action does that. */
export const create = (one: Shaped, several: Shaped | undefined): Endpoint => ({
  id: 'create',
  ...one,
  effect: 'create',
  content: 'item',
  creates: true,
  ...(several ? { several: { id: 'createAll', ...several } } : {}),
});

/** Returns the endpoint that removes an item. */
export const remove = (run: OnItem, check: OnItem | undefined): Endpoint => ({
  id: 'remove',
  takes: 'item',
  run,
  check,
  effect: 'remove',
  content: 'none',
});

/** Bulk work on a list: PUT replaces the items in the body, DELETE removes all items. */
export const bulkWork = (
  replaceAll: Shaped & Pick<ActionFacts, 'refusals'>,
  removeAll: Shaped,
): { readonly PUT: Endpoint; readonly DELETE: Endpoint } => ({
  PUT: { id: 'replaceAll', ...replaceAll, effect: 'change', content: 'items', bulk: true },
  DELETE: {
    id: 'removeAll',
    ...removeAll,
    effect: 'remove',
    refusals: ['conflict'],
    content: 'none',
    bulk: true,
  },
});

/** A control URI: GET shows a form with the current state, POST performs its action. */
export const form = (path: string, kind: FormKind, shown: NamedAction, done: Endpoint): Route => ({
  path,
  endpoints: {
    GET: { ...shown, effect: done.effect, content: 'none', shape: 'form', form: kind },
    POST: { ...done, form: kind },
  },
});
