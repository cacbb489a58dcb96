import { quotedString } from './field-value.ts';

/** A link for the Link field; `href` is a URI reference. Source: RFC 8288 §3. */
export interface Link {
  readonly rel: string;
  readonly href: string;
  /** A hint of the target's media type. */
  readonly type?: string;
  /** For people; any text. */
  readonly title?: string;
}

/**
 * The value of a Link field; empty for no links. Whatever a URI cannot hold is percent-encoded, so that nothing
 * breaks out of the angle brackets; a title beyond printable ASCII travels as `title*`. Source: RFC 8288 §3, RFC 8187 §3.2.
 */
export function formatLinks(links: readonly Link[]): string {
  let field = '';
  for (const { href, rel, type, title } of links) {
    if (field !== '') field += ', ';
    field += `<${escapeUri(href)}>; rel=${quotedString(rel)}`;
    if (type !== undefined) field += `; type=${quotedString(type)}`;
    if (title !== undefined) {
      field += /^[ -~]*$/.test(title)
        ? `; title=${quotedString(title)}`
        : `; title*=UTF-8''${escapeText(title)}`;
    }
  }
  return field;
}

/** A URI reference with everything percent-encoded that is neither reserved, unreserved nor `%`. Source: RFC 3986 §2. */
function escapeUri(href: string): string {
  if (/^[\w:/?#@!$&'()*+,;=.~%-]*$/.test(href)) return href;
  return href.toWellFormed().replace(/[^\w:/?#[\]@!$&'()*+,;=.~%-]/gu, encodeURIComponent);
}

/** A text with everything percent-encoded that is no attr-char. Source: RFC 8187 §3.2.1. */
function escapeText(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
