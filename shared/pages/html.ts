import type { PageRepresentation } from '../representations/representation.ts';

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
  mediaType: 'text/html',
  contentType: 'text/html; charset=utf-8',
  explicit: true,
  headers: { 'Content-Security-Policy': POLICY, 'Referrer-Policy': REFERRER_POLICY },
  write: async (document, place) => {
    const { page } = await import('#pages');
    return page(document, place);
  },
};
