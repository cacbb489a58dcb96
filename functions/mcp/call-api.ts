import { config } from '../../shared/aws/config.ts';
import type { Visit } from '../../shared/resource/actions/action.ts';

/** A request of a tool to the API. `path`: its segments, which get percent-encoded. The first one may have slashes. */
export interface Sent {
  readonly method: string;
  readonly path: readonly (string | number)[];
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/** The content of an answer: an item, a list, a problem or its explanation. */
export interface Content {
  readonly type?: string;
  readonly remedy?: string;
  readonly items?: readonly unknown[];
  readonly total?: number;
  readonly links?: readonly { readonly rel: string; readonly href: string }[];
  readonly [name: string]: unknown;
}

/** The answer of the API. `etag`: the entity tag of an item. `body`: empty without JSON. */
export interface Answer {
  readonly status: number;
  readonly isOk: boolean;
  readonly etag: string | undefined;
  readonly location: string | undefined;
  readonly body: Content;
}

/** Sends a request to the API. */
export type Api = (sent: Sent) => Promise<Answer>;

/** Hosts whose address API Gateway makes, so a client cannot choose them. */
const OF_GATEWAY = /^[a-z0-9]+\.execute-api\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/;

/** @throws Error if the configuration names no address, and API Gateway has not made that of the request */
function addressOf({ headers: { host = '' }, basePath }: Visit): string {
  const known = config.apiUrl();
  if (known !== undefined) return known;
  if (!OF_GATEWAY.test(host)) throw new Error('The environment variable API_URL is not set');
  return `https://${host}${basePath}`;
}

/**
 * Returns a client of the API with the token of this caller, so that each rule of HTTP holds for agents too.
 *
 * Source: Specification 23.2.
 */
export const apiAs = (visit: Visit): Api => {
  const { authorization, traceparent } = visit.headers;
  const caller = { Accept: 'application/json', Authorization: authorization, traceparent };
  return async ({ method, path, query = {}, headers, body }) => {
    const [resource = '', ...rest] = path;
    const segments = [...String(resource).split('/'), ...rest];
    const url = new URL(`${addressOf(visit)}/${segments.map((one) => encodeURIComponent(one)).join('/')}`);
    for (const [name, value] of Object.entries(query))
      for (const one of [value].flat()) if (one !== undefined) url.searchParams.append(name, String(one));
    const fields = Object.entries({
      'Content-Type': body === undefined ? undefined : 'application/json',
      ...caller,
      ...headers,
    }).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
    const response = await fetch(url, {
      method,
      headers: fields,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      isOk: response.ok,
      etag: response.headers.get('etag') ?? undefined,
      location: response.headers.get('location') ?? undefined,
      body: isJson ? JSON.parse(text) : {},
    };
  };
};
