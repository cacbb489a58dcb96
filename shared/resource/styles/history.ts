import type { Action, Shaped } from '../actions/action.ts';
import { anyValue, array, integer, structure, text, timestamp } from '../description/fields.ts';
import type { Endpoint, NamedAction, Route } from '../route.ts';
import type { OnItem } from './action-endpoints.ts';

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

/** What the versions of items and those of files differ in. `of`: `an item`. `present`: the reader of the present one. */
interface VersionStyle extends Pick<Endpoint, 'about' | 'fields' | 'shape' | 'timeGate'> {
  readonly of: string;
  readonly present: Shaped;
  readonly list: NamedAction;
  readonly version: Shaped;
  readonly restore: Shaped;
}

/** The versions below a path: their list, each of them, and the way back to it. Source: Specification 16; RFC 7089. */
export const versionRoutes = (
  path: string,
  { of, shape, timeGate, fields, about, present, list, version, restore }: VersionStyle,
): Route[] => [
  { path, endpoints: { GET: { id: 'read', ...present, content: 'none', shape, timeGate } } },
  {
    path: `${path}/versions`,
    endpoints: {
      GET: {
        ...list,
        content: 'none',
        shape: 'document',
        plain: 'application/link-format',
        summary: `List the versions of ${of}`,
        parameters: ['limit', 'after'],
        fields,
      },
    },
  },
  {
    path: `${path}/versions/{version}`,
    endpoints: {
      GET: { id: 'version', ...version, content: 'none', shape, summary: `Read a version of ${of}` },
    },
  },
  {
    path: `${path}/versions/{version}/restore`,
    endpoints: {
      POST: {
        id: 'restore',
        ...restore,
        effect: 'change',
        content: 'none',
        form: 'transition',
        refusals: ['conflict'],
        clientManaged: true,
        reads: present,
        summary: `Restore a version of ${of}`,
        about,
      },
    },
  },
];

/** Returns the versions of items, and the list of removed items. */
export const history = (
  path: string,
  reader: OnItem,
  { list, removed, read, restore, at }: HistoryActions,
): Route[] => [
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
  ...versionRoutes(`${path}/{id}`, {
    of: 'an item',
    shape: 'item',
    timeGate: at,
    fields: LIST,
    about:
      'Gives the item the values and the bytes of the version, as a new version. Every rule of a PUT holds. A removed item exists again, with its old identifier.',
    present: { takes: 'item', run: reader },
    list: { id: 'versions', takes: 'versions', run: list },
    version: { takes: 'version', run: read },
    restore: { takes: 'version', run: restore, check: read },
  }),
];
