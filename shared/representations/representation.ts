import type { Fault } from '../http/problem.ts';
import type { JsonValue } from '../json/value.ts';
import type { Description } from '../resource/description.ts';

/** What a representation is made of. `members` are JSON values in order (Decimals are exact numbers). */
export interface Document {
  readonly kind: 'item' | 'list' | 'document' | 'problem';
  /** The name of the whole, and of each element of a list. */
  readonly name: string;
  readonly elementName?: string;
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
  write(document: Document): string;
}

/** A document that was read, or what is wrong with it. */
export type ReadDocument = { readonly value: JsonValue } | { readonly fault: Fault };

/** A format that items can be read from. */
export interface Reader {
  /** The names it goes by, the first one being its own. */
  readonly mediaTypes: readonly string[];
  /** Reads by the description, not by guessing. A promise where a parser has to be loaded first. */
  read(bytes: Uint8Array, description: Description): ReadDocument | Promise<ReadDocument>;
}
