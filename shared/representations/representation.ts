import type { Fault } from '../http/problem.ts';
import type { JsonValue } from '../json/value.ts';
import type { Description } from '../resource/description.ts';

/** What a representation is made of. `members` are JSON values in order (Decimals are exact numbers). */
export interface Document {
  readonly kind: 'item' | 'list' | 'document' | 'problem';
  readonly members: Readonly<Record<string, unknown>>;
  readonly description?: Description;
  /** The bare text, where there is one. */
  readonly plain?: string;
}

/** A media type that documents can be written in. */
export interface Representation {
  readonly mediaType: string;
  /** The value of Content-Type. */
  readonly contentType: string;
  /** Distinguishes the entity tags of representations of one state. */
  readonly suffix: string;
  /** Never picked by a wildcard where another fits. */
  readonly explicit?: boolean;
  /** Only for documents that have a bare text. */
  readonly plainOnly?: boolean;
  write(document: Document): string;
}

/** A media type that content can be read from. */
export interface Reader {
  readonly mediaType: string;
  read(bytes: Uint8Array): { readonly value: JsonValue } | { readonly fault: Fault };
}
