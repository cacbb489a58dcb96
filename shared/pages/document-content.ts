import { html } from 'hono/html';
import type { Document } from '../representations/representation.ts';
import type { LinkFact } from '../resource/link.ts';
import { linkList } from './links.ts';
import { type Content, capitalized, type Markup } from './markup.ts';
import { shown } from './value.ts';

/** The page of a document of the service, such as the root: its properties, then its links. */
export function documentContent({ name, members }: Document): Content {
  const { title, links, ...others } = members as { title?: string; links?: readonly LinkFact[] };
  return {
    title: title ?? capitalized(name),
    way: [],
    body: html`${membersList(others)}
<div class="tiles">${linkList(links ?? [], 'Where to go')}</div>`,
  };
}

function membersList(members: Readonly<Record<string, unknown>>): Markup | '' {
  const names = Object.keys(members).filter((name) => members[name] !== undefined);
  if (names.length === 0) return '';
  return html`<dl>${names.map((name) => html`<dt>${capitalized(name)}</dt><dd>${nested(members[name])}</dd>`)}</dl>`;
}

function nested(value: unknown): Markup | string {
  if (!Array.isArray(value)) return shown(value);
  return html`<ul>${value.map((one) => html`<li>${nested(one)}</li>`)}</ul>`;
}
