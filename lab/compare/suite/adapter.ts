import type { Answer, SentRequest } from '../../../test/support/client/client.ts';

/** The resources that each API has. Files are apart, because few APIs have them. */
export const KINDS = ['members', 'customers', 'orders', 'products'] as const;
export type Kind = (typeof KINDS)[number];

/** What an adapter needs to send requests of its own. `send` must succeed. */
export interface Sender {
  ask(method: string, path: string, sent?: SentRequest): Promise<Answer>;
  send(method: string, path: string, sent?: SentRequest): Promise<Answer>;
}

export type Values = Readonly<Record<string, unknown>>;

/**
 * What an API calls things. HTTP itself decides all else, so it has no adapter. A part that is absent is not offered.
 * A query is the text after `?`, percent-encoded.
 */
export interface Adapter {
  /** The path of a collection. */
  collection(kind: Kind): string;
  /** The path of an item; without it, the collection, a slash and the id. */
  item?(kind: Kind, id: string): string;
  /** The name of the property with the id. */
  id?(kind: Kind): string;
  /** Header fields of each request, such as the credentials. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The property of a document that has the values of an item. */
  readonly wrap?: string;
  /** Returns the items of a list. */
  items(document: Values, kind: Kind): unknown;
  /** The media type of a PATCH that changes the named properties alone. Without it: application/merge-patch+json. */
  readonly partial?: string;
  readonly limit?: (items: number) => string;
  readonly sort?: (name: string, descending: boolean) => string;
  readonly equal?: (name: string, value: string) => string;
  readonly atLeast?: (name: string, value: number) => string;
  readonly below?: (name: string, value: number) => string;
  /** Makes one query of several. Without it, `&` joins them. */
  readonly joined?: (query: string) => string;
  readonly fields?: (names: readonly string[]) => string;
  readonly expand?: { readonly query: string; readonly inside: string };
  /** Returns the path of the next page; undefined after the last one. */
  readonly next?: (page: Answer, query: string) => string | undefined;
  /** A query, and the place of the number of all items in its response. */
  readonly total?: {
    readonly method?: 'HEAD';
    readonly query: string;
    readonly headers?: Readonly<Record<string, string>>;
    of(page: Answer): unknown;
  };
  /** The list of the orders of a customer. */
  readonly ordersOf?: (customer: string) => string;
  /** The paths of the home document and of the OpenAPI document. */
  readonly home?: string;
  readonly description?: string;
  readonly files?: Files;
  readonly bulk?: Bulk;
  readonly forms?: Forms;
}

export interface Files {
  /** Stores bytes. Returns the path of GET. */
  store(api: Sender, name: string, bytes: Buffer, type: string): Promise<string>;
  /** The path at which a client itself stores a file by PUT. */
  readonly path?: (name: string) => string;
  /** The path of the list, and the field of a form with several files. */
  readonly list?: string;
}

export interface Bulk {
  /** Creates, updates or removes several items by one request. */
  readonly create?: (api: Sender, kind: Kind, values: readonly Values[]) => Promise<Answer>;
  readonly update?: (api: Sender, kind: Kind, values: readonly Values[]) => Promise<Answer>;
  readonly remove?: (api: Sender, kind: Kind) => Promise<Answer>;
}

/** Pages with forms for people, which use the same API. Paths. */
export interface Forms {
  /** The page with the form for a new item. */
  readonly blank?: (kind: Kind) => string;
  /** The page with the form of an item, from the path of the item. */
  readonly edit?: (item: string) => string;
  /** The page that asks before a deletion. */
  readonly remove?: (item: string) => string;
}

/** The adapter of an API that follows C.19 to C.26 and C.83 to C.87 of docs/specification.md. */
export const plain: Adapter = {
  collection: (kind) => `/${kind}`,
  id: (kind) => (kind === 'orders' ? 'orderId' : 'id'),
  items: ({ items }) => items,
  limit: (items) => `limit=${items}`,
  sort: (name, descending) => `sort=${descending ? '-' : ''}${name}`,
  equal: (name, value) => `${name}=${encodeURIComponent(value)}`,
  atLeast: (name, value) => `${name}.gte=${value}`,
  below: (name, value) => `${name}.lt=${value}`,
  fields: (names) => `fields=${names.join(',')}`,
  expand: { query: 'expand=customer', inside: 'customer' },
  next: (page) => page.json().links.find(({ rel }) => rel === 'next')?.href,
  total: { query: '', headers: { Prefer: 'count=exact' }, of: (page) => page.json().total },
  ordersOf: (customer) => `${customer}/orders`,
  description: '/openapi.json',
  files: {
    store: async (api, name, bytes, type) => {
      const path = `/files/${encodeURIComponent(name)}`;
      await api.send('PUT', path, { body: bytes, headers: { 'Content-Type': type } });
      return path;
    },
    path: (name) => `/files/${encodeURIComponent(name)}`,
    list: '/files',
  },
  bulk: {
    create: (api, kind, values) => api.ask('POST', `/${kind}`, { json: values }),
    update: (api, kind, values) => api.ask('PUT', `/${kind}`, { json: values }),
    remove: (api, kind) => api.ask('DELETE', `/${kind}`),
  },
  forms: {
    blank: (kind) => `/${kind}/new`,
    edit: (item) => `${item}/edit`,
    remove: (item) => `${item}/delete`,
  },
};
