import type { EntityTag } from '../../http/conditional/entity-tag.ts';
import type { Upload } from '../../resource/sent.ts';
import type { ObjectCondition, ObjectFacts } from '../objects.ts';

/** Returns the `kind` that clients see of an operation that waits for uploads. */
export const kindOf = (resource: string): string => `${resource}.upload`;

/** The prefix of files, and the staging prefix where clients send uploads. */
export const FILES = 'files/';
export const STAGED = 'uploads/';

/** Returns the key of an upload below `STAGED`. `at`: its index in the manifest. */
export const stagedAt = (operation: number, at: number): string => `${operation}/${at}`;

/** Returns the operation and the index of the file for a key below `STAGED`; undefined for any other key. */
export function sentTo(key: string): { readonly operation: number; readonly at: number } | undefined {
  const [, operation, at] = /^(\d+)\/(\d+)$/.exec(key) ?? [];
  return operation === undefined ? undefined : { operation: Number(operation), at: Number(at) };
}

/**
 * A file that an operation waits for. `uploadId`: the multipart upload, if the client sends parts. `copyId`: the
 * multipart copy, if the file is too large for one copy request. `copyPartSize`: bytes of the parts of this copy. They
 * are stored because a later release may plan other sizes.
 */
export interface Awaited extends Upload {
  readonly uploadId?: string;
  readonly copyId?: string;
  readonly copyPartSize?: number;
}

/** The input of an upload operation, stored as JSON in place of a request. `until` in ms since the epoch. */
export interface Awaiting {
  readonly files: readonly Awaited[];
  /** Bytes of the parts that clients send. Releases before the renewal of links did not store it. */
  readonly partSize?: number;
  readonly until: number;
  /** The precondition of the request. The service evaluates it again when it publishes each file. */
  readonly expected?: StoredCondition;
}

/** A condition in a stored input. The shape never changes, because an earlier release may have stored the input. */
interface StoredCondition {
  readonly etag?: EntityTag;
  readonly absent?: true;
}

/** Converts a condition for the input of an operation. */
export const toStoredCondition = (condition: ObjectCondition): StoredCondition | undefined =>
  condition && (condition.kind === 'etag' ? { etag: condition.etag } : { absent: true });

/** Converts the condition in the input of an operation. */
export const fromStoredCondition = (stored: StoredCondition | undefined): ObjectCondition =>
  stored && (stored.etag ? { kind: 'etag', etag: stored.etag } : { kind: 'absent' });

/** Names in the metadata of an upload: its operation, and its index in the manifest. */
const OPERATION = 'operation';
const FILE = 'file';

/** Returns the metadata of an upload. The file that the service publishes from it has the same metadata. */
export const metadataOf = (operation: number, at: number): Record<string, string> => ({
  [OPERATION]: String(operation),
  [FILE]: String(at),
});

/** True if the service published this object from the given upload. */
export const isMadeOf = (facts: ObjectFacts | undefined, operation: number, at: number): boolean =>
  facts?.metadata?.[OPERATION] === String(operation) && facts.metadata[FILE] === String(at);
