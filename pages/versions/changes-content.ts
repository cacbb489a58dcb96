import { html } from 'hono/html';
import { isObject } from '../../shared/json/value.ts';
import type { Document, Place } from '../../shared/representations/representation.ts';
import { nameAt } from '../frame/way.ts';
import { linksOf } from '../links.ts';
import { pager } from '../lists/pager.ts';
import { type Content, requirePart } from '../markup.ts';
import { showValue } from '../value.ts';

/** The page with the changes of all items, oldest first. */
export function changesContent({ members }: Document, place: Place): Content {
  const events = Array.isArray(members.items) ? members.items.filter(isObject) : [];
  const { title } = requirePart(place.resource);
  const links = linksOf(members);
  const rows = events.map(({ type, subject, time, data }) => {
    const [, change = ''] = String(type).split('.');
    const path = String(subject);
    return html`<tr><td>${showValue(time)}</td><th scope="row"><a href="${place.basePath}${path}">${nameAt(path, isObject(data) ? data : {})}</a></th><td>${change}</td></tr>`;
  });
  return {
    title,
    way: [],
    body: html`${
      events.length === 0
        ? html`<p>This page has no changes. ${links.map(({ rel, href }) => html`<a rel="${rel}" href="${href}">Later changes</a>`)}</p>`
        : html`<div class="scroll" role="region" aria-label="${title}" tabindex="0"><table>
<thead><tr><th scope="col">When</th><th scope="col">Item</th><th scope="col">Change</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
    }
${events.length > 0 && pager(links)}`,
  };
}
