import { SCRIPT_DIGEST } from '#about';
import type { Document, Place, PlainRepresentation, Representation, Subject } from './representation.ts';

/**
 * The browser runs the one script of pages only: neither a file of a client, nor a script in the text of a page. It does
 * not frame a page, and sends its forms to this service only.
 *
 * Source: Content Security Policy Level 3 §6, §8.4 (external scripts by their digest).
 */
const POLICY = `default-src 'none'; script-src '${SCRIPT_DIGEST}'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/**
 * The browser does not send the address of a page to other sites. Forms still send their origin. Source: Referrer
 * Policy §3.3.
 */
const REFERRER_POLICY = 'same-origin';

/** Characters that no page can have. A path or a problem can repeat them. Source: HTML Living Standard §13.2.3.5. */
const CONTROLS = /[\0-\x08\x0b\x0e-\x1f]/g;

const placeOf = ({ request, resource, page }: Subject): Place => ({
  ...request,
  resource,
  sortedBy: page?.sortOrder[0],
});

/**
 * Pages for people, which work without script. The first page loads their writer. A page also shows other things than the
 * item, so the version of the item does not identify it.
 *
 * Source: HTML Living Standard.
 */
export const html: Representation = {
  mediaType: 'text/html',
  contentType: 'text/html; charset=utf-8',
  explicit: true,
  headers: { 'Content-Security-Policy': POLICY, 'Referrer-Policy': REFERRER_POLICY },
  isPage: true,
  carriesForms: true,
  namesRelated: true,
  refreshes: true,
  write: async (document, subject) => {
    const { page } = await import('#pages');
    return (await page(document, placeOf(subject))).replace(CONTROLS, '\uFFFD');
  },
};

/**
 * A format for API clients that shows a form as a document. Clients must name the format. Each form carries an
 * idempotency key, so it has no entity tag. The first one loads the module of pages.
 *
 * Source: Specification 6.4.
 */
export const formIn = ({ mediaType, contentType, write }: PlainRepresentation): Representation => ({
  mediaType,
  contentType,
  explicit: true,
  carriesForms: true,
  write: async (document: Document, subject) => {
    const { formDocument } = await import('#pages');
    return write(formDocument(document, placeOf(subject)));
  },
});
