import { html } from 'hono/html';
import type { Document, Place } from '../../shared/representations/representation.ts';
import { wayAlong } from '../frame/way.ts';
import { buttons, linksOf } from '../links.ts';
import { type Content, labelOf, type Markup, requirePart } from '../markup.ts';
import { nameOf } from '../names/item-name.ts';
import { shownProperty } from '../property.ts';
import { showValue } from '../value.ts';

type Members = Document['members'];

/** Members that every version has, or that are not values. */
const APART = ['links', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy'];

/** The page of a version of an item: its values, beside those of the version before it. */
export function versionContent(document: Document, place: Place): Content {
  const { members, past } = document;
  const description = requirePart(document.description);
  const { number, before } = requirePart(past);
  const { name: identifier } = description.identifier;
  const id = String(members[identifier]);
  const name = nameOf(description, members, document.expansions);
  const names = [...new Set([...Object.keys(members), ...Object.keys(before ?? {})])].filter(
    (one) => one !== identifier && !APART.includes(one),
  );
  const cell = (name: string, of: Members): Markup | string =>
    of[name] === undefined ? html`<span class="none">none</span>` : shownProperty(name, of, document, place);
  const links = linksOf(members);
  return {
    title: `Version ${number} of ${name}`,
    way: [
      ...wayAlong([requirePart(place.resource).name, id], place.basePath, name),
      ['History', `${place.basePath}/${requirePart(place.resource).name}/${id}/versions`],
    ],
    actions: buttons(links, description.singular, place),
    body: html`<p>Saved ${showValue(members.updatedAt)}${members.updatedBy !== undefined && html`, by ${members.updatedBy}`}</p>
<div class="scroll" role="region" aria-label="Values" tabindex="0"><table>
<thead><tr><th scope="col">Property</th><th scope="col">This version</th>${before && html`<th scope="col">Version before</th>`}</tr></thead>
<tbody>
${names.map((one) => {
  const isSame = !before || JSON.stringify(members[one]) === JSON.stringify(before[one]);
  return html`<tr><th scope="row">${labelOf(description, one)}</th><td data-label="This version">${isSame ? cell(one, members) : html`<mark>${cell(one, members)}</mark>`}</td>${before && html`<td data-label="Version before">${cell(one, before)}</td>`}</tr>`;
})}
</tbody></table></div>
<nav aria-label="Other versions"><ul class="links">${links.filter(({ rel }) => rel === 'prev' || rel === 'next').map(({ rel, href }) => html`<li><a href="${href}" rel="${rel}">${rel === 'prev' ? 'Earlier version' : 'Later version'}</a></li>`)}</ul></nav>`,
  };
}
