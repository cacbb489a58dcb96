import { html } from 'hono/html';
import { itemHref } from '../../representations/item.ts';
import type { Document, Place } from '../../representations/representation.ts';
import type { Description } from '../../resource/description/description.ts';
import type { LinkFact } from '../../resource/link.ts';
import type { Resource } from '../../resource/resource.ts';
import { keyInput, versionInput } from '../links.ts';
import { type Content, capitalized, formAddress, type Markup, nameOf } from '../markup.ts';
import { fieldOf } from '../member-list.ts';
import { shownField } from '../structure.ts';
import { shownBytes } from '../value.ts';
import { columnHead, filterForm } from './list-controls.ts';

type Members = Readonly<Record<string, unknown>>;

/** A page of a list as a table. The heads of sortable columns and the pager are links. */
export function listContent({ members, description: described, versions }: Document, place: Place): Content {
  const resource = place.resource as Resource;
  const description = described as Description;
  const {
    items,
    links,
    offset = 0,
    total,
  } = members as {
    items: readonly Members[];
    links: readonly LinkFact[];
    offset?: number;
    total?: number;
  };
  const create = creation(resource, place);
  return {
    title: resource.title,
    way: wayTo(place),
    body: html`${create && html`<p><a class="button" href="${create}">New ${description.singular}</a></p>`}
${upload(resource, place)}
${filterForm(resource, place)}
${items.length === 0 ? html`<p class="empty">${emptyText(links, offset)}</p>` : table(items, description, place, versions)}
${total === undefined ? '' : html`<p class="hint">${total} in all</p>`}
${pager(links)}`,
  };
}

/** What a page without items says. After a filter, the items can be on later pages. Source: Specification 4.16. */
const emptyText = (links: readonly LinkFact[], offset: number): string =>
  links.some(({ rel }) => rel === 'next')
    ? 'Nothing is on this page, but the list continues.'
    : `Nothing is here${offset > 0 ? ' any more' : ' yet'}.`;

/** The address of the form for a new item. Under an item of another resource, it names that item in the query. */
function creation(resource: Resource, place: Place): string | undefined {
  const address = formAddress(resource, place, 'new');
  const [field] = resource.table?.partitions ?? [];
  const [, , above, nested] = place.path.split('/');
  return address !== undefined && field && nested ? `${address}?${field}=${above}` : address;
}

/** The breadcrumb of a list: empty, or the parent item and the list of that. */
function wayTo({ path, basePath }: Place): Content['way'] {
  const above = path.split('/').slice(1, -1);
  return above.map((segment, at) => [
    capitalized(segment),
    `${basePath}/${above.slice(0, at + 1).join('/')}`,
  ]);
}

function table(
  items: readonly Members[],
  description: Description,
  place: Place,
  versions: Document['versions'],
): Markup {
  const resource = place.resource as Resource;
  const { identifier, fields } = description;
  // Nested values are on the page of the item only.
  const simple = Object.keys(fields).filter((name) => fields[name]?.kind !== 'structure');
  const columns = [identifier.name, ...simple, 'createdAt', 'createdBy'].filter((name) =>
    items.some((item) => item[name] !== undefined),
  );
  const rows = items.map((item, at) => row(item, columns, description, place, versions?.[at]));
  const removable = removalAddress(resource, place, '') !== undefined;
  return html`<div class="scroll" role="region" aria-label="${resource.title}" tabindex="0"><table>
<thead><tr>
${columns.map((name) => columnHead(name, place, numeric(description, name)))}
${removable && html`<th scope="col">Delete</th>`}
</tr></thead>
<tbody>
${rows}
</tbody>
</table></div>`;
}

function row(
  item: Members,
  columns: readonly string[],
  description: Description,
  place: Place,
  version: string | undefined,
): Markup {
  const resource = place.resource as Resource;
  const id = item[description.identifier.name] as number | string;
  const remove = removalAddress(resource, place, id);
  return html`<tr>
${columns.map((name, at) =>
  at === 0 && item.links
    ? html`<th scope="row"><a href="${place.basePath}${itemHref(resource, id)}">${id}</a></th>`
    : html`<td${numeric(description, name)}>${item[name] === undefined ? '' : (shownBytes(item[name], name, nameOf(description, id)) ?? shownField(item[name], fieldOf(description, name)))}</td>`,
)}
${
  remove &&
  html`<td><details><summary>Delete<span class="hidden"> ${id}</span>…</summary>
<form method="post" action="${remove}">${keyInput(place.requestId)}${versionInput(version)}<button class="danger">Delete ${id}</button></form>
</details></td>`
}
</tr>`;
}

/** Numbers are right-aligned. */
const numeric = ({ fields }: Description, name: string): Markup | '' =>
  Object.hasOwn(fields, name) && ['integer', 'decimal'].includes(fields[name]?.kind as string)
    ? html` class="number"`
    : '';

/** The address of the deletion form in the list. Files have it there, because they have no page of their own. */
const removalAddress = (resource: Resource, place: Place, id: unknown): string | undefined =>
  resource.description?.identifier.kind === 'text' ? formAddress(resource, place, 'delete', id) : undefined;

/** The form for the upload of files, if the resource accepts them. */
function upload(resource: Resource, place: Place): Markup | '' {
  const takesFiles = resource.routes.some(({ endpoints }) => endpoints.POST?.content === 'files');
  if (!takesFiles) return '';
  return html`<form class="panel" method="post" action="${place.basePath}/${resource.name}" enctype="multipart/form-data">
${keyInput(place.requestId)}
<p><label for="upload">Files to store</label><input type="file" id="upload" name="file" multiple required></p>
<p><button>Upload</button></p>
</form>`;
}

const PAGES = [
  ['first', 'First page'],
  ['prev', 'Previous page'],
  ['next', 'Next page'],
] as const;

/** The links to other pages; empty if there is only one page. */
function pager(links: readonly LinkFact[]): Markup | '' {
  if (!links.some(({ rel }) => rel === 'prev' || rel === 'next')) return '';
  const shown = PAGES.flatMap(([rel, label]) =>
    links
      .filter((link) => link.rel === rel)
      .map(({ href }) => html`<li><a rel="${rel}" href="${href}">${label}</a></li>`),
  );
  return html`<nav aria-label="Pages"><ul class="links">${shown}</ul></nav>`;
}
