import type { Answerable } from '../../shared/flow/exchange.ts';
import type { Response } from '../../shared/http/response.ts';
import { html } from '../../shared/representations/html.ts';
import type { PageDocument } from '../page-document.ts';

/** Leads a browser to another address. `vary`: the header fields of the request that decide about it. */
export const leadTo = (Location: string, vary = 'Accept'): Response => ({
  status: 303,
  headers: { Location, 'Cache-Control': 'no-store', Vary: vary },
});

/** Returns a page that answers a form. `more`: other header fields. */
export const pageResponse = async (
  status: number,
  document: PageDocument,
  place: Parameters<typeof html.write>[1],
  more: Response['headers'] = {},
): Promise<Response> => ({
  status,
  headers: {
    'Content-Type': html.contentType,
    'Cache-Control': 'no-store',
    Vary: 'Accept',
    ...html.headers,
    ...more,
  },
  body: await html.write(document, place),
});

/** Returns the same exchange, whose page also has these parts. */
export const withParts = (exchange: Answerable, parts: Partial<PageDocument>): Answerable => ({
  ...exchange,
  representation: { ...html, write: (document, place) => html.write({ ...document, ...parts }, place) },
});
