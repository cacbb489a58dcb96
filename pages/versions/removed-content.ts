import { html } from 'hono/html';
import { isObject, type JsonValue } from '../../shared/json/value.ts';
import type { Document, Place } from '../../shared/representations/representation.ts';
import { mayWrite } from '../frame/person.ts';
import { linksOf, quietButton } from '../links.ts';
import { pager } from '../lists/pager.ts';
import { type Content, listOf, requirePart } from '../markup.ts';
import { nameOf } from '../names/item-name.ts';
import { showValue } from '../value.ts';

/** The page with the removed items of a list, each with a button that restores it. */
export function removedContent({ members, description, expansions }: Document, place: Place): Content {
  const resource = requirePart(place.resource);
  const entries = Array.isArray(members.items) ? members.items.filter(isObject) : [];
  const isWriter = mayWrite(resource, place);
  const hasAuthors = entries.some(({ by }) => by !== undefined);
  const nameIn = (item: JsonValue | undefined) =>
    nameOf(requirePart(description), isObject(item) ? item : {}, expansions);
  const items = resource.title.toLowerCase();
  return {
    title: `Removed ${items}`,
    way: [listOf(resource, place)],
    body: html`<p class="hint">The service keeps them for ${resource.history?.days} days.</p>
${
  entries.length === 0
    ? html`<p class="empty">No ${items} are here.</p>`
    : html`<div class="scroll" role="region" aria-label="Removed ${items}" tabindex="0"><table>
<thead><tr><th scope="col">Name</th>${hasAuthors && html`<th scope="col">By</th>`}<th scope="col">When</th>${isWriter && html`<th scope="col">Restore</th>`}</tr></thead>
<tbody>
${entries.map(
  ({ href, time, by, item }) =>
    html`<tr><th scope="row"><a href="${String(href)}">${nameIn(item)}</a></th>${hasAuthors && html`<td>${String(by ?? '')}</td>`}<td>${showValue(time)}</td>${isWriter && html`<td>${quietButton(`${href}/restore`, 'Restore', place)}</td>`}</tr>`,
)}
</tbody></table></div>`
}
${pager(linksOf(members))}`,
  };
}
