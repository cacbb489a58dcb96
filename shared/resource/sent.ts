import type { Problem } from '../http/problem.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

/** Bytes from a client, with their media type. */
export interface SentBytes {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** One of several files in a request. `name`: the filename that the client chose. */
export interface SentFile extends SentBytes {
  readonly name: string;
  /** The problem of this file, if it is faulty. The service still stores the other files. */
  readonly problem?: Problem;
}

/** A file that the client uploads by presigned URLs. `size` in bytes, `sha256` in base64. */
export interface Upload {
  readonly name: string;
  readonly size: number;
  readonly mediaType: string;
  readonly sha256?: string;
}

/** The change of a binary property: its new bytes, or undefined to remove the present ones. */
export interface SentBinary {
  readonly name: string;
  readonly sent: SentBytes | undefined;
}

/** One of several items in a request. `pointer` is its JSON Pointer in the content. */
export interface SentItem {
  readonly pointer: string;
  /** The identifier of the item to replace; undefined for a new item. */
  readonly id?: number;
  /** The name of the identifier in the request: a synonym such as `id`; undefined: its own name. */
  readonly synonym?: string;
  readonly values: JsonObject;
  /** The names that the request sets, without defaults; undefined: those of all values. */
  readonly names?: readonly string[];
  readonly binaries?: readonly SentBinary[];
  /** The state of the process in the element, which must be that of the item. */
  readonly state?: JsonValue | undefined;
  /** The problem of this item, if it is faulty. The service still processes the other items. */
  readonly problem?: Problem;
}

const NONE: Problem = { name: 'validation-error', detail: '' };

/** Returns the problem of an element, with pointers from the root of the content. */
export function problemOfElement({ pointer, problem }: SentItem): Problem {
  const { errors, ...rest } = problem ?? NONE;
  if (!errors) return problem ? { ...rest, errors: [{ pointer, detail: rest.detail }] } : NONE;
  return { ...rest, errors: errors.map((one) => ({ ...one, pointer: pointer + (one.pointer ?? '') })) };
}
