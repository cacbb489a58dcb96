import { html } from 'hono/html';
import { itemHref } from '../../shared/representations/item.ts';
import type { Place } from '../../shared/representations/representation.ts';
import { hasScope, type Reader } from '../../shared/resource/access/sight.ts';
import type { ResourceFacts } from '../../shared/resource/facts.ts';
import { newestList } from '../../shared/resource/list-template.ts';
import { descriptionOf } from '../../shared/resource/resource.ts';
import { mayWrite } from '../frame/person.ts';
import { formAddress, type Markup, takesFiles } from '../markup.ts';
import { headingOf, idOf, nameOf } from '../names/item-name.ts';
import type { Overview, OverviewList } from '../page-document.ts';
import { fieldOf } from '../property.ts';
import { shownField } from '../shown-field.ts';
import { showValue } from '../shown-value.ts';

type Members = OverviewList['items'][number];

/** How many items of a collection the home page shows. */
const SHOWN = 5;

/** How many of the newest items of a collection the home page counts by their states. */
const COUNTED = 250;

const UNAVAILABLE = html`<p class="empty">The service cannot read them now.</p>`;

/** Returns the order of the newest items first. Numbers contain the time of creation. */
const newestFirst = (resource: ResourceFacts): string => {
  const { kind, name } = descriptionOf(resource).identifier;
  return kind === 'integer' ? `-${name}` : '-createdAt';
};

/** The parameters that add the items that the names of a collection begin with, as far as the person may read them. */
export function namesIn({ relations, description }: ResourceFacts, place: Reader): { expand?: string } {
  const title = description?.title;
  const named = Object.entries(relations).filter(
    ([, { field, to }]) =>
      Array.isArray(title) && title.includes(field) && hasScope(place, `${to.name}:read`),
  );
  return named.length > 0 ? { expand: named.map(([name]) => name).join(',') } : {};
}

/** Returns the parameters of a list for its first items that the home page shows, with their names. */
export const newestIn = (resource: ResourceFacts, place: Reader): Readonly<Record<string, string>> => ({
  limit: String(SHOWN),
  sort: newestFirst(resource),
  ...namesIn(resource, place),
});

/**
 * Returns the links to the items of a page of a list, each in an element of a list. `note`: what follows the name, and the
 * values that the title of the items has after it.
 */
export function itemLinks(
  resource: ResourceFacts,
  { items, expansions }: OverviewList,
  place: Place,
  note: (item: Members) => Markup | string = () => '',
): Markup {
  const description = descriptionOf(resource);
  return html`<ul class="newest">${items.map((item) => {
    const id = idOf(description, item);
    const { name, beside } = headingOf(description, item, expansions);
    const values = beside.map(
      (one) => html`<span>${shownField(item[one], fieldOf(description, one))}</span> `,
    );
    return html`<li><a href="${place.basePath}${itemHref(resource, id)}">${name}</a> ${values}${note(item)}</li>`;
  })}</ul>`;
}

/** Returns the collections with their newest items. */
export async function newestOf(
  collections: readonly ResourceFacts[],
  overview: Overview,
  place: Place,
): Promise<Markup> {
  const cards = await Promise.all(collections.map((one) => card(one, overview, place)));
  return html`<ul class="cards">${cards}</ul>`;
}

/** Returns a collection: its newest items, how many are in each state, and the form for a new one. */
async function card(resource: ResourceFacts, overview: Overview, place: Place): Promise<Markup | ''> {
  const { title, about, process } = resource;
  const sort = newestFirst(resource);
  const [newest, counted] = await Promise.all([
    overview.list(resource, newestIn(resource, place)),
    process && overview.list(resource, { limit: String(COUNTED), sort, fields: process.field }),
  ]);
  if (newest === 'refused') return '';
  const isStore = takesFiles(resource);
  const list = place.basePath + newestList(resource);
  const form =
    mayWrite(resource, place) && (isStore ? `${list}#upload` : formAddress(resource, place, 'new'));
  const isEmpty = newest !== 'unavailable' && newest.items.length === 0;
  const items = isEmpty
    ? html`<p class="hint">${about.replace(/(?<=\.) .*/, '')} There are no ${title.toLowerCase()} yet.</p>`
    : newest === 'unavailable'
      ? UNAVAILABLE
      : itemLinks(resource, newest, place, ({ createdAt }) =>
          createdAt === undefined ? '' : html`<small>${showValue(createdAt)}</small>`,
        );
  return html`<li>
<div class="head"><h2><a href="${list}">${title}</a></h2>${form && html`<a class="button quiet" href="${form}">${isStore ? 'Upload' : 'New'}<span class="hidden"> ${isStore ? title.toLowerCase() : descriptionOf(resource).singular}</span></a>`}</div>
${typeof counted === 'object' && !isEmpty && statusCounts(resource, counted, place)}
${items}
</li>`;
}

/** Returns the number of items in each state, each with a link to them. */
function statusCounts(resource: ResourceFacts, { items, isWhole }: OverviewList, place: Place): Markup | '' {
  const { title, process, description } = resource;
  const field = process && description && fieldOf(description, process.field);
  if (!process || field?.kind !== 'text') return '';
  const numbers = (field.choices ?? []).flatMap((state): [string, number][] => {
    const number = items.filter((item) => item[process.field] === state).length;
    return number > 0 ? [[state, number]] : [];
  });
  if (numbers.length === 0) return '';
  return html`<nav class="counts" aria-label="${title} by state"><ul class="links">${numbers.map(
    ([state, number]) =>
      html`<li><a href="${place.basePath}${newestList(resource, [[process.field, state]])}">${shownField(state, field)} ${number}${!isWhole && '+'}</a></li>`,
  )}</ul></nav>`;
}

/** The states of work that needs the attention of a person. */
const OPEN = 'NotStarted,Running,Canceling,Failed';

/** Returns the work that has not ended, or that has failed. */
export async function attention(
  resource: ResourceFacts,
  overview: Overview,
  place: Place,
): Promise<Markup | ''> {
  const description = descriptionOf(resource);
  const found = await overview.list(resource, {
    status: OPEN,
    limit: String(SHOWN),
    sort: newestFirst(resource),
  });
  if (found === 'refused') return '';
  const heading = html`<h2><a href="${place.basePath}${newestList(resource)}">${resource.title}</a></h2>`;
  if (found === 'unavailable') return html`<section>${heading}${UNAVAILABLE}</section>`;
  const { items } = found;
  if (items.length === 0) return '';
  return html`<section>${heading}
<ul class="newest">${items.map(
    (item) =>
      html`<li><a href="${place.basePath}${itemHref(resource, idOf(description, item))}">${nameOf(description, item)}</a> ${shownField(item.status, fieldOf(description, 'status'))} <small>${showValue(item.createdAt)}</small></li>`,
  )}</ul></section>`;
}
