import { html } from 'hono/html';
import { isShownBinary } from '../resource/binary.ts';
import type { Markup } from './markup.ts';

/** Bytes of a property: a picture, or a link to them; undefined for another property. `alt`: the text for the picture. */
export function shownBytes(value: unknown, name: string, alt: string): Markup | undefined {
  if (!isShownBinary(value, name)) return undefined;
  const { href, contentType, size } = value;
  if (/^image\//i.test(contentType))
    return html`<a href="${href}"><img src="${href}" alt="${alt}" loading="lazy"></a>`;
  return html`<a href="${href}">${contentType}${size !== undefined && html`, ${size} bytes`}</a>`;
}
