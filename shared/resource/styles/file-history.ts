import type { Action } from '../actions/action.ts';
import { integer, structure, text, timestamp } from '../description/fields.ts';
import type { Endpoint, Route } from '../route.ts';
import { versionRoutes } from './history.ts';

/** The actions on the versions of files. */
export interface FileHistoryActions {
  readonly list: Action<'fileVersions'>;
  readonly read: Action<'fileVersion'>;
  readonly restore: Action<'fileVersion'>;
  /** The version of a file at a time, in ms since the epoch; undefined: the file did not exist then. */
  readonly at: NonNullable<Endpoint['timeGate']>;
}

const VERSION = text('Version', { example: '3sL4kqtJlcpXroDTDmJ.rmSpXd3dIbrH' });

/** The parameters in paths and queries. */
export const FILE_VERSION_PARAMETERS = {
  version: VERSION,
  limit: integer('Most entries of the page', { example: 20, seldom: true }),
  after: { ...VERSION, label: 'Version after which the page begins', seldom: true },
};

const LIST = {
  items: structure(
    'Versions',
    {
      version: VERSION,
      href: text('Address', { example: '/files/mug.png/versions/3sL4kqtJlcpXroDTDmJ.rmSpXd3dIbrH' }),
      change: text('Change', { choices: ['created', 'updated', 'removed'], example: 'updated' }),
      size: integer('Size', { unit: 'bytes', example: 3156 }),
      time: timestamp('Time'),
    },
    { several: true, required: ['version', 'change', 'time'] },
  ),
  limit: integer('Limit', { maximum: 100, example: 20 }),
};

/** Returns the versions of files. Source: Specification 16.11. */
export const fileHistory = (
  path: string,
  reader: Action<'file'>,
  { list, read, restore, at }: FileHistoryActions,
): Route[] =>
  versionRoutes(path, {
    of: 'a file',
    shape: 'bytes',
    timeGate: at,
    fields: LIST,
    about: 'Stores the bytes of the version as a new version of the file. A removed file exists again.',
    present: { takes: 'file', run: reader },
    list: { id: 'fileVersions', takes: 'fileVersions', run: list },
    version: { takes: 'fileVersion', run: read },
    restore: { takes: 'fileVersion', run: restore, check: read },
  });
