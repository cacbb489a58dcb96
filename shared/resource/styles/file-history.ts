import type { Action } from '../actions/action.ts';
import { integer, structure, text, timestamp } from '../description/fields.ts';
import type { Endpoint, Route } from '../route.ts';

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

/** The versions of files: their list, each of them, and the way back to it. Source: Specification 16.11; RFC 7089. */
export const fileHistory = (
  path: string,
  reader: Action<'file'>,
  { list, read, restore, at }: FileHistoryActions,
): Route[] => [
  {
    path,
    endpoints: {
      GET: { id: 'read', takes: 'file', run: reader, content: 'none', shape: 'bytes', timeGate: at },
    },
  },
  {
    path: `${path}/versions`,
    endpoints: {
      GET: {
        id: 'fileVersions',
        takes: 'fileVersions',
        run: list,
        content: 'none',
        shape: 'document',
        plain: 'application/link-format',
        summary: 'List the versions of a file',
        parameters: ['limit', 'after'],
        fields: {
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
        },
      },
    },
  },
  {
    path: `${path}/versions/{version}`,
    endpoints: {
      GET: {
        id: 'version',
        takes: 'fileVersion',
        run: read,
        content: 'none',
        shape: 'bytes',
        summary: 'Read a version of a file',
      },
    },
  },
  {
    path: `${path}/versions/{version}/restore`,
    endpoints: {
      POST: {
        id: 'restore',
        takes: 'fileVersion',
        run: restore,
        content: 'none',
        form: 'transition',
        refusals: ['conflict'],
        clientManaged: true,
        reads: { takes: 'file', run: reader },
        summary: 'Restore a version of a file',
        about: 'Stores the bytes of the version as a new version of the file. A removed file exists again.',
      },
    },
  },
];
