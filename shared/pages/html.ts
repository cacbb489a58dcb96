import type { Document, PageRepresentation, Place } from '../representations/representation.ts';

/**
 * The browser runs no script of a page, does not frame it, and sends its forms to this service only. Source:
 * Content Security Policy Level 3 §6.
 */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * The browser does not send the address of a page to other sites. Forms still send their origin. Source: Referrer
 * Policy §3.3.
 */
const REFERRER_POLICY = 'same-origin';

/** Pages for people, without script. The first page loads their writer. Source: HTML Living Standard. */
export const html: PageRepresentation = {
  kind: 'page',
  mediaType: 'text/html',
  contentType: 'text/html; charset=utf-8',
  explicit: true,
  headers: { 'Content-Security-Policy': POLICY, 'Referrer-Policy': REFERRER_POLICY },
  write: async (document, place) => {
    const { page } = await import('#pages');
    return page(document, place);
  },
};

/** The document of a form for API clients. The first one loads the module of pages. */
export async function formDocument(document: Document, place: Place): Promise<Document> {
  const pages = await import('#pages');
  return pages.formDocument(document, place);
}
