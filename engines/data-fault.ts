/** What is wrong with a file or a folder, and what the user can do. */
type Wrong =
  | 'full'
  | 'readOnly'
  | 'noRights'
  | 'notCreated'
  | 'notOpened'
  | 'otherKind'
  | 'damaged'
  | 'unreadable';

/** Errors of the file system. Source: errno(3). */
const OF_SYSTEM: Readonly<Record<string, Wrong>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'readOnly',
  EACCES: 'noRights',
  ENOENT: 'notCreated',
  EPERM: 'noRights',
  EISDIR: 'otherKind',
  ERR_FS_EISDIR: 'otherKind',
  ENOTDIR: 'otherKind',
  EEXIST: 'otherKind',
  EIO: 'unreadable',
};

/** Primary result codes of SQLite. Source: SQLite, "Result and Error Codes". */
const OF_SQLITE: Readonly<Record<number, Wrong>> = {
  3: 'noRights',
  8: 'readOnly',
  10: 'unreadable',
  11: 'damaged',
  13: 'full',
  14: 'notOpened',
  26: 'damaged',
};

const ANOTHER = 'or choose another folder with DATA_DIR';

const SENTENCES: Readonly<Record<Wrong, (path: string) => string>> = {
  full: (path) => `The disk of ${path} is full: free some space, ${ANOTHER}.`,
  readOnly: (path) => `${path} is read-only: make it writable, ${ANOTHER}.`,
  noRights: (path) => `This user may not read and write ${path}: change its rights, ${ANOTHER}.`,
  notCreated: (path) => `${path} cannot be created: make its folder and disk writable, ${ANOTHER}.`,
  notOpened: (path) =>
    `${path} cannot be opened: make it a file that this user may read and write, in a folder that is not read-only, ${ANOTHER}.`,
  otherKind: (path) =>
    `${path} is a folder in place of a file, or a file in place of a folder: move it away, ${ANOTHER}.`,
  damaged: (path) => `${path} is damaged: restore it from a backup, ${ANOTHER}.`,
  unreadable: (path) => `The disk of ${path} is full or faulty: free some space, check it, ${ANOTHER}.`,
};

/** The primary part of an extended result code of SQLite. */
const PRIMARY = 0xff;

/**
 * A sentence about an error of the file system or of SQLite, with what the user can do; undefined for any other error.
 * `place`: the file or folder in use. An error of the file system may name another one.
 */
export function dataFault(error: unknown, place: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { path = place }: { name: string; path?: string } = error;
  const wrong = wrongIn(error);
  return wrong && SENTENCES[wrong](path);
}

/** True if the disk was full. */
export const isDiskFull = (error: unknown): boolean => wrongIn(error) === 'full';

function wrongIn(error: unknown): Wrong | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', errcode }: { name: string; code?: string; errcode?: number } = error;
  return errcode === undefined ? OF_SYSTEM[code] : OF_SQLITE[errcode & PRIMARY];
}
