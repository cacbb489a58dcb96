import type { Upload } from '../../resource/action.ts';

/** What an operation is called that waits for uploads: the resource, then what is done. */
export const kindOf = (resource: string): string => `${resource}.upload`;

/** A file that an operation waits for; `uploadId` where it comes in parts. */
export interface Awaited extends Upload {
  readonly uploadId?: string;
}

/** What an operation that waits for uploads keeps: JSON in place of a request. `until` in ms since the epoch. */
export interface Awaiting {
  readonly files: readonly Awaited[];
  readonly until: number;
}

/** Metadata of an object that was uploaded for an operation: which one, and which of its files it is. */
export const OPERATION = 'operation';
export const FILE = 'file';
