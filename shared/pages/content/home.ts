import { html } from 'hono/html';
import { BRAND } from '#about';
import { NAVIGATION } from '#service';
import type { Document, Place } from '../../representations/representation.ts';
import type { LinkFact } from '../../resource/link.ts';
import { mayRead } from '../frame/navigation.ts';
import { linkList } from '../links.ts';
import type { Content, Markup } from '../markup.ts';

/** The path of the operations, which every service has. */
const OPERATIONS = '/operations';

/**
 * The home page: each collection with its search by name and its form for a new item, the operations that need
 * attention, and at the end the documents for programs. It reads nothing, so it costs what JSON costs.
 */
export function homeContent({ members }: Document, place: Place): Content {
  const { title, links = [] } = members as { title?: string; links?: readonly LinkFact[] };
  const readable = links.filter(
    ({ href, rel }) => rel !== 'self' && rel !== 'sign-out' && mayRead(href, place),
  );
  const own = NAVIGATION.collections.filter(({ path }) => path !== OPERATIONS && mayRead(path, place));
  const at = (path: string) => readable.find(({ href }) => href === `${place.basePath}${path}`);
  const shown = new Set<LinkFact | undefined>();
  const tile = (path: string, singular: string): Markup | '' => {
    const [list, form] = [at(path), at(`${path}/new`)];
    shown.add(list).add(form);
    if (!list) return '';
    return html`<li><a href="${list.href}">${list.title}</a>${list.description && html`<p class="hint">${list.description}</p>`}
${form && html`<p><a class="button quiet" href="${form.href}">New ${singular}</a></p>`}</li>`;
  };
  const tiles = own.map(({ path, singular }) => tile(path, singular));
  const operations = at(OPERATIONS);
  shown.add(operations);
  const others = readable.filter((link) => !shown.has(link));
  return {
    title: BRAND.name,
    way: [],
    body: html`${title !== BRAND.name && html`<p class="hint">${title}</p>`}
<nav class="tiles" aria-label="Where to go"><ul class="links">
${tiles}
</ul></nav>
${
  operations &&
  html`<h2>${operations.title}</h2>
<nav class="states" aria-label="${operations.title}"><ul class="links">
${['Running', 'Failed', 'Succeeded'].map((status) => html`<li><a href="${operations.href}?status=${status}">${status}</a></li>`)}
</ul></nav>`
}
${linkList(
  others.map(({ description: _, ...link }) => link),
  'For programs',
)}`,
  };
}
