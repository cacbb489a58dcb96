import type { Link } from '../http/fields/link.ts';
import type { Fault, Problem } from '../http/problem.ts';
import type { Request } from '../http/request.ts';
import type { JsonValue } from '../json/value.ts';
import type { FieldLimits } from '../resource/access/field-access.ts';
import type { Sight } from '../resource/access/sight.ts';
import type { Compared, ShownRows, State } from '../resource/actions/outcome.ts';
import type { Description } from '../resource/description/description.ts';
import type { FormKind, ResourceFacts, RouteFacts } from '../resource/facts.ts';
import type { LinkFact } from '../resource/link.ts';
import type { PageQuery, SortKey } from '../resource/lists/page.ts';
import type { Expansion, RelatedReader } from '../resource/relation.ts';
import type { SentBinary } from '../resource/sent.ts';

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
  /** A sentence above an item, about what this response alone shows. */
  readonly notice?: string;
  /** The properties that the request selects in each item of a list. */
  readonly selected?: ReadonlySet<string>;
  /** The rows of a document, which `members` have too. */
  readonly rows?: ShownRows;
  /** The links for `Link` header fields. `members` has them too, unless the client selects other properties. */
  readonly links?: readonly LinkFact[];
  /** Present if a page shows an item as it was in a version. `before`: the members of the version before it. */
  readonly past?: { readonly number: number; readonly before: Document['members'] | undefined };
  /** The links to the versions of an item, which only `Link` header fields have. Source: RFC 7089 §2.2. */
  readonly history?: readonly Link[];
  /** The members of the item that a document is about. Only pages show its name. */
  readonly about?: Document['members'] | undefined;
  /** The item in the versions of a list. Only pages show it. */
  readonly compared?: readonly Compared[] | undefined;
  /** The content in the plain format of the document, if it has one. */
  readonly plain?: string;
  /** The query parameters that a form on the page asks for. */
  readonly asks?: readonly string[];
  /** The entity tag of the item, if the page has forms that change it. */
  readonly version?: string | undefined;
  /** The versions of the items of a list, if the page has forms that change them. */
  readonly versions?: readonly (number | undefined)[];
  /** The problem that the members represent: pages have words of their own for it. */
  readonly problem?: Problem;
  /** Present for a form, which the room for people makes. */
  readonly asked?: AskedForm;
}

/** What a form is about. `state`: the one of the target; undefined if look-up read none. */
export interface AskedForm {
  readonly kind: FormKind;
  readonly route: RouteFacts;
  /** The identifier in the path. */
  readonly parameters: { readonly id?: number; readonly name?: string };
  readonly state: State | undefined;
  /** What the caller sees of items, and cannot see or set in them. */
  readonly sight?: Sight | undefined;
  readonly fieldLimits?: FieldLimits | undefined;
}

/** The context of a page, in addition to its document: the resource and the request. */
export interface Place
  extends Pick<
    Request,
    'headers' | 'principal' | 'basePath' | 'path' | 'query' | 'requestId' | 'receivedAt'
  > {
  readonly resource?: ResourceFacts;
  /** The first key of the order of a list; undefined for other pages. */
  readonly sortedBy?: SortKey;
}

/** What a document is about: the request, the resource, the page of a list. Only pages for people show more of them. */
export interface Subject {
  readonly request: Request;
  readonly resource?: ResourceFacts;
  readonly page?: PageQuery;
}

/** A media type for documents. */
export interface Representation {
  readonly mediaType: string;
  /** The value of Content-Type. */
  readonly contentType: string;
  /** A wildcard does not select it if another one fits. */
  readonly explicit?: boolean;
  /** Header fields of every response with this representation. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Distinguishes the entity tags of representations of one state. Without it, there are no entity tags. */
  readonly suffix?: string;
  /** For people. Some actions have more to say to them, and `fields` selects the columns of a list. */
  readonly isPage?: boolean;
  /** Items and lists carry forms, which are valid for one submission. */
  readonly carriesForms?: boolean;
  /** Related items appear by their names alone: all those that the caller may read. */
  readonly namesRelated?: boolean;
  /** The client shows a state that changes soon again, if the response has `Refresh`. */
  readonly refreshes?: boolean;
  /** Returns a promise if a writer has to be loaded first. */
  write(document: Document, subject: Subject): string | Promise<string>;
}

/** A representation that needs the document alone. */
export interface PlainRepresentation extends Representation {
  readonly suffix: string;
  write(document: Document): string;
}

/** A parsed document, or its fault. */
export type ReadDocument = { readonly value: JsonValue } | { readonly fault: Fault };

/** What content of several parts has in addition to its values. */
export interface Parts {
  /** Header fields that the content states. Those of the request count before them. */
  readonly headers: Readonly<Record<string, string>>;
  /** What each repeat of the request has in common. The boundary of the parts differs each time. */
  readonly identity: readonly (string | Uint8Array)[];
  /** The properties to remove. */
  readonly removed: readonly string[];
  readonly files: readonly SentBinary[];
  /** The faults of single parts. */
  readonly faults: readonly Fault[];
  /** A part that is the content of the request, in another format. */
  readonly whole?: {
    readonly mediaType: string | undefined;
    readonly bytes: Uint8Array;
    /** The person wants copies of items that the service has shown. */
    readonly makesCopies: boolean;
  };
}

/** The content of a request, or why the service does not read it. */
export type ReadContent =
  | { readonly value: JsonValue; readonly parts?: Parts }
  | { readonly fault: Fault }
  | {
      readonly problem: Problem<
        'malformed-body' | 'payload-too-large' | 'unsupported-media-type' | 'validation-error'
      >;
    };

/** The name of a list of items in a request. `only`: the request must have a list. */
export interface SentListName {
  readonly name: string;
  readonly only?: boolean;
}

/** The ending of the name of a column of CSV that has JSON in its cells: `tags:json`. */
export const JSON_COLUMN = ':json';

/** How a request sends content. */
export interface Sending {
  readonly contentType: string;
  /** True if the request needs no content. */
  readonly isIgnored: boolean;
  /** False if an item that the service has shown must not become a copy. */
  readonly makesCopies?: boolean;
  /** The names of the items of other resources, each with the name of its resource. */
  readonly others?: Readonly<Record<string, string>>;
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
    list: SentListName | undefined,
    sending: Sending,
  ): ReadContent | Promise<ReadContent>;
  /** True if `read` limits the bytes of each part, instead of the bytes of the content. */
  readonly limitsParts?: boolean;
}
