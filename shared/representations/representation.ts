import type { Fault } from '../http/problem.ts';
import type { Request } from '../http/request.ts';
import type { JsonValue } from '../json/value.ts';
import type { Description } from '../resource/description/description.ts';
import type { FormKind, ResourceFacts } from '../resource/facts.ts';
import type { LinkFact } from '../resource/link.ts';
import type { SortKey } from '../resource/lists/page.ts';
import type { RelatedReader } from '../resource/related.ts';
import type { Expansion } from '../resource/relation.ts';

/**
 * The format-independent content of a representation. `members` are JSON values in order (Decimals are exact
 * numbers).
 */
export interface Document {
  readonly kind: 'item' | 'list' | 'form' | 'results' | 'document' | 'problem';
  /** The name of the root element. `elementName`: the name of each element of a list. */
  readonly name: string;
  readonly elementName?: string;
  readonly members: Readonly<Record<string, unknown>>;
  readonly description?: Description;
  /** The relations that the items show, with the descriptions of the related items. */
  readonly expansions?: readonly Expansion[];
  /** Reads the related lists on the page of an item; undefined: the page shows none. */
  readonly related?: RelatedReader;
  /** The properties that the request selects in each item of a list. */
  readonly selected?: ReadonlySet<string>;
  /** The links for `Link` header fields. `members` has them too, unless the client selects other properties. */
  readonly links?: readonly LinkFact[];
  /** The content for `text/plain`, if the document has one. */
  readonly plain?: string;
  /** The query parameters that a form on the page asks for. */
  readonly asks?: readonly string[];
  /** The entity tag of each item of a list, if the page of the list has forms that change items. */
  readonly versions?: readonly (string | undefined)[];
  /** The form on the page. */
  readonly form?: Form;
}

/** A form on a page: empty, with the item's values, or with the submitted values and the reason for the refusal. */
export interface Form {
  readonly kind: FormKind;
  /** The submitted inputs; undefined: the form shows the values of the item. */
  readonly sent?: ReadonlyMap<string, readonly string[]>;
  readonly refused?: {
    readonly title: string;
    readonly detail: string;
    readonly errors: readonly Fault[];
    /** The address of the sign-in, if the form came without a valid sign-in. */
    readonly signIn?: string;
  };
  /** The idempotency key of the form. */
  readonly key: string;
  /** The entity tag of the version that the form shows; undefined for a new item. */
  readonly version?: string;
  /** True if the item has changed since the browser got the refused form. */
  readonly isStale?: boolean;
}

/** The context of a page, in addition to its document: the resource and the request. */
export interface Place extends Pick<Request, 'headers' | 'principal'> {
  readonly resource?: ResourceFacts;
  readonly basePath: string;
  /** The path of the request, without base path. */
  readonly path: string;
  readonly query: Request['query'];
  /** The first key of the order of a list; undefined for other pages. */
  readonly sortedBy?: SortKey;
  /** Unique to the request. */
  readonly requestId: string;
}

/** A media type for documents. */
interface Offered {
  readonly mediaType: string;
  /** The value of Content-Type. */
  readonly contentType: string;
  /** A wildcard does not select it if another one fits. */
  readonly explicit?: boolean;
  /** Header fields of every response with this representation. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A representation for API clients. */
export interface PlainRepresentation extends Offered {
  readonly kind: 'data';
  /** Distinguishes the entity tags of representations of one state. */
  readonly suffix: string;
  write(document: Document): string;
}

/** A representation for people. It has no entity tag. The first page loads its writer. */
export interface PageRepresentation extends Offered {
  readonly kind: 'page';
  write(document: Document, place: Place): Promise<string>;
}

export type Representation = PlainRepresentation | PageRepresentation;

/** A parsed document, or its fault. */
export type ReadDocument = { readonly value: JsonValue } | { readonly fault: Fault };

/** The name of a list of items in a request. `only`: the request must have a list. */
export interface SentListName {
  readonly name: string;
  readonly only?: boolean;
}

/** A format of items in requests. */
export interface Reader {
  /** The media types of the format. The first one is its own, the others are aliases. */
  readonly mediaTypes: readonly string[];
  /**
   * Reads the content by the description, without guesses. Returns a promise if a parser has to be loaded first.
   * `list`: present if the request may have a list of items.
   */
  read(
    bytes: Uint8Array,
    description: Description,
    list?: SentListName,
  ): ReadDocument | Promise<ReadDocument>;
}
