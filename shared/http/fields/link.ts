import { formatHttpDate } from '../conditional/http-date.ts';
import { quotedString } from './field-value.ts';

/** A link for the Link field; `href` is a URI reference. Source: RFC 8288 §3. */
export interface Link {
  readonly rel: string;
  readonly href: string;
  /** The time of the target as an earlier version, in ms since the epoch. Source: RFC 7089 §2.2.3. */
  readonly time?: number;
  /** The expected media type of the target. */
  readonly type?: string;
  /** A text for people, with any characters. */
  readonly title?: string;
}

/** The syntax of one or several registered relation types, which need no escapes. Source: RFC 8288 §3.3 (reg-rel-type). */
const REGISTERED = /^[a-z][a-z0-9. -]*$/;

/**
 * The value of a Link field; empty if there are no links. Characters that a URI cannot have are percent-encoded, so
 * that no text can end the angle brackets early. A title with other characters than printable ASCII becomes
 * `title*`.
 *
 * Source: RFC 8288 §3, RFC 8187 §3.2.
 */
export function formatLinks(links: readonly Link[]): string {
  let field = '';
  for (const { href, rel, type, title, time } of links) {
    if (field !== '') field += ', ';
    field += `<${escapeUri(href)}>; rel=${REGISTERED.test(rel) ? `"${rel}"` : quotedString(rel)}`;
    if (time !== undefined) field += `; datetime="${formatHttpDate(time)}"`;
    if (type !== undefined) field += `; type=${quotedString(type)}`;
    if (title !== undefined) {
      field += /^[ -~]*$/.test(title)
        ? `; title=${quotedString(title)}`
        : `; title*=UTF-8''${escapeText(title)}`;
    }
  }
  return field;
}

/**
 * A URI reference in which all characters are reserved, unreserved, `%` or percent-encoded. Source: RFC 3986 §2.
 */
export function escapeUri(href: string): string {
  if (/^[\w:/?#@!$&'()*+,;=.~%-]*$/.test(href)) return href;
  return href.toWellFormed().replace(/[^\w:/?#[\]@!$&'()*+,;=.~%-]/gu, encodeURIComponent);
}

/** A text in which all characters other than attr-chars are percent-encoded. Source: RFC 8187 §3.2.1. */
function escapeText(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A link whose target is a URI template. */
interface LinkTemplate {
  readonly template: string;
  readonly rel: string;
}

/**
 * The value of a Link-Template field: a string with a parameter. Templates of this service are printable ASCII without
 * quotation marks and backslashes.
 *
 * Source: RFC 9652 §2; RFC 9651 §3.3.3.
 */
export const formatLinkTemplate = ({ template, rel }: LinkTemplate): string => `"${template}"; rel="${rel}"`;
