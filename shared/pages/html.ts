import type { PageRepresentation } from '../representations/representation.ts';

/** Nothing of a page is run, framed or sent elsewhere. Source: Content Security Policy Level 3 §6. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Other sites do not learn which page led to them; forms still name their origin. Source: Referrer Policy §3.3. */
const REFERRER_POLICY = 'same-origin';

/** Pages for people, without script. Their writer is loaded when the first one is asked for. Source: HTML Living Standard. */
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
