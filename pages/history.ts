import { html } from 'hono/html';
import { decodeSegment } from '../shared/http/paths.ts';
import { isObject, type JsonObject, type JsonValue } from '../shared/json/value.ts';
import { valueMembers } from '../shared/representations/item.ts';
import type { Document, Place } from '../shared/representations/representation.ts';
import { sightOf } from '../shared/resource/access/sight.ts';
import type { Compared } from '../shared/resource/actions/outcome.ts';
import type { Item } from '../shared/resource/item.ts';
import { restores } from '../shared/resource/route.ts';
import { breadcrumbsAbout, breadcrumbsOf } from './frame/breadcrumbs.ts';
import { authorName, mayWrite } from './frame/person.ts';
import { buttons, linksOf, quietButton } from './links.ts';
import { pager } from './lists/list-controls.ts';
import { type Content, labelOf, listOf, type Markup, requirePart } from './markup.ts';
import { nameAbout, nameInSentence, nameOf } from './names/item-name.ts';
import { type Named, shownProperty } from './property.ts';
import { difference, isShort, showValue, sizeText } from './shown-value.ts';

// The pages with what was before: of an item, and of a list.

interface Entry {
  /** A number; of a file a text. */
  readonly version: number | string;
  readonly href?: string;
  readonly change: string;
  readonly changed?: readonly string[];
  readonly size?: number;
  readonly time: string;
  readonly by?: string;
}

/** Returns the page with the history of an item: its versions, newest first, each with a button that restores it. */
export function versionsContent(document: Document, place: Place): Content {
  const { members } = document;
  const resource = requirePart(place.resource);
  const [, , id = ''] = place.path.split('/');
  // A file has no other name.
  const name = document.about
    ? nameAbout(document, nameInSentence)
    : `${requirePart(resource.description).singular} ${decodeSegment(id)}`;
  const { items: entries } = members as unknown as { readonly items: readonly Entry[] };
  const isPresent = (at: number) => at === 0 && !place.query.has('after');
  // Files have versions without the fact.
  const isWriter = mayWrite(resource, place) && !resource.closed?.includes('change');
  // A restoration makes no transition.
  const stateIn = (of: Document['members'] = {}) => resource.process && of[resource.process.field];
  const isRestorable = ({ href }: Entry, at: number) =>
    href !== undefined &&
    !isPresent(at) &&
    stateIn(document.compared?.[at]?.after?.values) === stateIn(document.about);
  const hasRestores = isWriter && entries.some(isRestorable);
  const shortOf = ({ version }: Entry) => (typeof version === 'number' ? version : version.slice(0, 8));
  const hasSizes = entries.some(({ size }) => size !== undefined);
  const changedIn = ({ changed = [], size }: Entry, at: number) =>
    size === undefined
      ? changed.map((name) => changedValue(name, document.compared?.[at], document, place))
      : sizeText(size);
  const hasAuthors = entries.some(({ by }) => by !== undefined);
  return {
    title: `History of ${name}`,
    breadcrumbs: breadcrumbsAbout(document, place).slice(0, entries[0]?.change === 'removed' ? 1 : 2),
    body: html`<div class="scroll" role="region" aria-label="History" tabindex="0"><table>
<thead><tr><th scope="col">Version</th><th scope="col">Change</th><th scope="col">${hasSizes ? 'Size' : 'Changed'}</th>${hasAuthors && html`<th scope="col">By</th>`}<th scope="col">When</th>${hasRestores && html`<th scope="col">Restore</th>`}</tr></thead>
<tbody>
${entries.map(
  (one, at) =>
    html`<tr><th scope="row">${one.href === undefined ? shortOf(one) : html`<a href="${one.href}">${shortOf(one)}</a>`}</th><td>${one.change}</td><td>${changedIn(one, at)}</td>${hasAuthors && html`<td>${authorName(one.by, place)}</td>`}<td>${showValue(one.time)}</td>${hasRestores && html`<td>${isRestorable(one, at) && quietButton(`${one.href}/restore`, 'Restore', place)}</td>`}</tr>`,
)}
</tbody></table></div>
${pager(linksOf(members))}`,
  };
}

/** The items that a value in the past names can exist, although the page has not looked for them. */
const inPast = ({ expansions = [], ...document }: Document): Named => ({
  ...document,
  expansions: expansions.map((one) => ({ ...one, unread: { has: () => true } })),
});

/** Returns a changed property with its values before and after the change, if both are short. */
function changedValue(
  name: string,
  { before, after }: Compared = {},
  document: Document,
  place: Place,
): Markup {
  const description = requirePart(place.resource?.description);
  const label = labelOf(description, name);
  const members = (of: Item | undefined) =>
    of &&
    valueMembers(requirePart(place.resource), of, place.basePath, { sight: sightOf(description, place) });
  const [old, present] = [members(before), members(after)];
  if (!old || !present || !isShort(old[name]) || !isShort(present[name])) return html`<div>${label}</div>`;
  const shown = (of: Document['members']) => shownProperty(name, of, inPast(document), place);
  return difference(label, shown(old), shown(present));
}

/** Members that every version has, or that are not values. */
const APART = ['links', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy'];

/** Returns the page of a version of an item: its values, beside those of the version before it. */
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
  const cell = (name: string, of: Document['members']): Markup | string =>
    shownProperty(name, of, of === before ? inPast(document) : document, place);
  const links = linksOf(members);
  return {
    title: `Version ${number} of ${name}`,
    breadcrumbs: [
      ...breadcrumbsOf([requirePart(place.resource).name, id], place.basePath, name),
      ['History', `${place.basePath}/${requirePart(place.resource).name}/${id}/versions`],
    ],
    actions: buttons(links, description.singular, place).usual,
    body: html`<p>Saved ${showValue(members.updatedAt)}${members.updatedBy !== undefined && html`, by ${authorName(members.updatedBy, place)}`}</p>
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

/** Returns the page with the removed items of a list, each with a button that restores it. */
export function removedContent({ members, description, expansions }: Document, place: Place): Content {
  const resource = requirePart(place.resource);
  const entries = objectsIn(members);
  const isWriter = mayWrite(resource, place) && restores(resource);
  const hasAuthors = entries.some(({ by }) => by !== undefined);
  const nameIn = (item: JsonValue | undefined) =>
    nameOf(requirePart(description), isObject(item) ? item : {}, expansions);
  const items = resource.title.toLowerCase();
  return {
    title: `Removed ${items}`,
    breadcrumbs: [listOf(resource, place)],
    body: html`<p class="hint">The service keeps them for ${resource.history?.days} days.</p>
${
  entries.length === 0
    ? html`<p class="empty">No ${items} are here.</p>`
    : html`<div class="scroll" role="region" aria-label="Removed ${items}" tabindex="0"><table>
<thead><tr><th scope="col">Name</th>${hasAuthors && html`<th scope="col">By</th>`}<th scope="col">When</th>${isWriter && html`<th scope="col">Restore</th>`}</tr></thead>
<tbody>
${entries.map(
  ({ href, time, by, item }) =>
    html`<tr><th scope="row"><a href="${String(href)}">${nameIn(item)}</a></th>${hasAuthors && html`<td>${authorName(by, place)}</td>`}<td>${showValue(time)}</td>${isWriter && html`<td>${quietButton(`${href}/restore`, 'Restore', place)}</td>`}</tr>`,
)}
</tbody></table></div>`
}
${pager(linksOf(members))}`,
  };
}

/** Returns the entries of a list as objects of JSON. */
export const objectsIn = ({ items }: Document['members']): JsonObject[] =>
  Array.isArray(items) ? items.filter(isObject) : [];
