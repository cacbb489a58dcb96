import type { Action } from '../actions/action.ts';
import { anyValue, array, integer, structure, text, timestamp } from '../description/fields.ts';
import type { Endpoint, Route } from '../route.ts';
import type { OnItem } from './named-action.ts';

/** The actions on the versions of items. */
export interface HistoryActions {
  readonly list: Action<'versions'>;
  readonly removed: Action<'removed'>;
  readonly read: Action<'version'>;
  readonly restore: Action<'version'>;
  /** The number of the version of an item at a time, in ms since the epoch. */
  readonly at: NonNullable<Endpoint['timeGate']>;
}

/** The parameters in paths and queries. */
export const VERSION_PARAMETERS = {
  version: integer('Version', { minimum: 1, example: 3 }),
  limit: integer('Most entries of the page', { example: 20, seldom: true }),
  after: integer('Version after which the page begins', { example: 4, seldom: true }),
  position: text('Removal after which the page begins', { seldom: true, example: '1790000000000-7-3' }),
};

const LIST = {
  items: structure(
    'Versions',
    {
      version: integer('Version', { minimum: 1, example: 5 }),
      href: text('Address', { example: '/orders/7/versions/5' }),
      change: text('Change', { choices: ['created', 'updated', 'removed', 'restored'], example: 'updated' }),
      changed: array('Changed properties', text('Property', { example: 'quantity' })),
      time: timestamp('Time'),
      by: text('By', { maximum: 255, help: 'The subject of a token.' }),
      item: anyValue('Last version', { types: ['object'], help: 'Only in the list of removed items.' }),
    },
    { several: true, required: ['version', 'change', 'time'] },
  ),
  limit: integer('Limit', { maximum: 100, example: 20 }),
};

/** The versions of items: their list, each of them, and the way back to it. Source: Specification 16; RFC 7089. */
export const history = (
  path: string,
  reader: OnItem,
  { list, removed, read, restore, at }: HistoryActions,
): Route[] => [
  {
    path: `${path}/{id}`,
    endpoints: {
      GET: { id: 'read', takes: 'item', run: reader, content: 'none', shape: 'item', timeGate: at },
    },
  },
  {
    path: `${path}/removed`,
    endpoints: {
      GET: {
        id: 'removed',
        takes: 'removed',
        run: removed,
        content: 'none',
        shape: 'document',
        summary: 'List the removed items',
        parameters: ['limit', 'position'],
        fields: LIST,
      },
    },
  },
  {
    path: `${path}/{id}/versions`,
    endpoints: {
      GET: {
        id: 'versions',
        takes: 'versions',
        run: list,
        content: 'none',
        shape: 'document',
        plain: 'application/link-format',
        summary: 'List the versions of an item',
        parameters: ['limit', 'after'],
        fields: LIST,
      },
    },
  },
  {
    path: `${path}/{id}/versions/{version}`,
    endpoints: {
      GET: {
        id: 'version',
        takes: 'version',
        run: read,
        content: 'none',
        shape: 'item',
        summary: 'Read a version of an item',
      },
    },
  },
  {
    path: `${path}/{id}/versions/{version}/restore`,
    endpoints: {
      POST: {
        id: 'restore',
        takes: 'version',
        run: restore,
        content: 'none',
        form: 'transition',
        refusals: ['conflict'],
        clientManaged: true,
        reads: { takes: 'item', run: reader },
        summary: 'Restore a version of an item',
        about:
          'Gives the item the values and the bytes of the version, as a new version. Every rule of a PUT holds. A removed item exists again, with its old identifier.',
      },
    },
  },
];
