import type { Upload } from '../../resource/action.ts';
import type { ObjectCondition, ObjectFacts } from '../objects.ts';

/** What an operation is called that waits for uploads: the resource, then what is done. */
export const kindOf = (resource: string): string => `${resource}.upload`;

/** Where the bytes of files are, and where those are sent to that become a file when they are what was announced. */
export const FILES = 'files/';
export const STAGED = 'uploads/';

/** Where a file of an operation is sent to, below `STAGED`. */
export const stagedAt = (operation: number, at: number): string => `${operation}/${at}`;

/** Which file of which operation was sent to a key. */
export function sentTo(key: string): { readonly operation: number; readonly at: number } | undefined {
  const [, operation, at] = /^(\d+)\/(\d+)$/.exec(key) ?? [];
  return operation === undefined ? undefined : { operation: Number(operation), at: Number(at) };
}

/**
 * A file that an operation waits for; `uploadId` where it comes in parts, `copyId` where it is too large to be copied
 * at once: the upload in parts that makes it the file. `copyPartSize`: bytes of its parts, which a later release may plan
 * otherwise.
 */
export interface Awaited extends Upload {
  readonly uploadId?: string;
  readonly copyId?: string;
  readonly copyPartSize?: number;
}

/** What an operation that waits for uploads keeps: JSON in place of a request. `until` in ms since the epoch. */
export interface Awaiting {
  readonly files: readonly Awaited[];
  readonly until: number;
  /** The condition of the request, judged again for each file when it is to appear. */
  readonly expected?: ObjectCondition;
}

/** Metadata of an object that was uploaded for an operation: which one, and which of its files it is. */
const OPERATION = 'operation';
const FILE = 'file';

/** What an object is stored with that is sent for an operation. The file that is made of it has it as well. */
export const metadataOf = (operation: number, at: number): Record<string, string> => ({
  [OPERATION]: String(operation),
  [FILE]: String(at),
});

/** Whether an object was made of this file of this operation. */
export const isMadeOf = (facts: ObjectFacts | undefined, operation: number, at: number): boolean =>
  facts?.metadata?.[OPERATION] === String(operation) && facts.metadata[FILE] === String(at);
