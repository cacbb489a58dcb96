import type { Fault } from '../http/problem.ts';
import type { Request } from '../http/request.ts';
import type { JsonValue } from '../json/value.ts';
import type { Description } from '../resource/description.ts';
import type { Resource } from '../resource/resource.ts';
import type { FormKind } from '../resource/route.ts';

/** What a representation is made of. `members` are JSON values in order (Decimals are exact numbers). */
export interface Document {
  readonly kind: 'item' | 'list' | 'form' | 'results' | 'document' | 'problem';
  /** The name of the whole, and of each element of a list. */
  readonly name: string;
  readonly elementName?: string;
  readonly members: Readonly<Record<string, unknown>>;
  readonly description?: Description;
  /** The bare text, where there is one. */
  readonly plain?: string;
  /** The entity tag of each item of a list, where the page of the list has forms that change items. */
  readonly versions?: readonly (string | undefined)[];
  /** The form that a page shows beside its members. */
  readonly form?: Form;
}

/** A form as it is shown: empty, with the item's values, or as it was sent with what was wrong. */
export interface Form {
  readonly kind: FormKind;
  /** The inputs as they were sent; undefined: as the item is. */
  readonly sent?: ReadonlyMap<string, readonly string[]>;
  readonly refused?: { readonly title: string; readonly detail: string; readonly errors: readonly Fault[] };
  /** Makes the form's post have its effect once. */
  readonly key: string;
  /** The entity tag of the version that the form shows; undefined for a new item. */
  readonly version?: string;
  /** The item has changed since the refused form was shown. */
  readonly isStale?: boolean;
}

/** What a page needs to know beside its document: whose it is, and where it was asked for. */
export interface Place {
  readonly resource?: Resource;
  readonly basePath: string;
  /** The path that was asked for, without base path. */
  readonly path: string;
  readonly query: Request['query'];
  /** Unique to the request. */
  readonly requestId: string;
}

/** A media type that documents can be written in. */
interface Offered {
  readonly mediaType: string;
  /** The value of Content-Type. */
  readonly contentType: string;
  /** Never picked by a wildcard where another fits. */
  readonly explicit?: boolean;
  /** Header fields that go with it. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A representation for programs. */
export interface PlainRepresentation extends Offered {
  /** Distinguishes the entity tags of representations of one state. */
  readonly suffix: string;
  /** Which version of the resource's shape it shows; undefined: the oldest. */
  readonly version?: number;
  write(document: Document): string;
}

/** A representation for people. It carries no entity tag, and its writer is loaded when it is first needed. */
export interface PageRepresentation extends Offered {
  readonly suffix?: undefined;
  write(document: Document, place: Place): Promise<string>;
}

export type Representation = PlainRepresentation | PageRepresentation;

/** A document that was read, or what is wrong with it. */
export type ReadDocument = { readonly value: JsonValue } | { readonly fault: Fault };

/** A format that items can be read from. */
export interface Reader {
  /** The names it goes by, the first one being its own. */
  readonly mediaTypes: readonly string[];
  /**
   * Reads by the description, not by guessing. A promise where a parser has to be loaded first. `list`: what a list of
   * items is called, where one may be sent.
   */
  read(bytes: Uint8Array, description: Description, list?: string): ReadDocument | Promise<ReadDocument>;
}
