import { html } from 'hono/html';
import { itemHref } from '../representations/item.ts';
import type { Document, Place } from '../representations/representation.ts';
import type { Description } from '../resource/description.ts';
import type { LinkFact } from '../resource/link.ts';
import type { Resource } from '../resource/resource.ts';
import { keyInput, versionInput } from './links.ts';
import { type Content, capitalized, formAddress, labelOf, type Markup } from './markup.ts';
import { fieldOf } from './member-list.ts';
import { shownField } from './structure.ts';

type Members = Readonly<Record<string, unknown>>;

/** A page of a list as a table, each column's order a link, with the way to the pages around it. */
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
${items.length === 0 ? html`<p class="empty">Nothing is here${offset > 0 ? ' any more' : ' yet'}.</p>` : table(items, description, place, versions)}
${total === undefined ? '' : html`<p class="hint">${total} in all</p>`}
${pager(links)}`,
  };
}

/** The form for a new item; under another resource's item it proposes that one. */
function creation(resource: Resource, place: Place): string | undefined {
  const address = formAddress(resource, place, 'new');
  const [field] = resource.table?.partitions ?? [];
  const [, , above, nested] = place.path.split('/');
  return address !== undefined && field && nested ? `${address}?${field}=${above}` : address;
}

/** What lies above a list: nothing, or the item that it belongs to and the list of that. */
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
  // What is nested stands on the page of its item.
  const simple = Object.keys(fields).filter((name) => fields[name]?.kind !== 'structure');
  const columns = [identifier.name, ...simple, 'createdAt'].filter((name) =>
    items.some((item) => item[name] !== undefined),
  );
  const rows = items.map((item, at) => row(item, columns, description, place, versions?.[at]));
  const removable = removalAddress(resource, place, '') !== undefined;
  return html`<div class="scroll" role="region" aria-label="${resource.title}" tabindex="0"><table>
<thead><tr>
${columns.map((name) => heading(name, labelOf(description, name), place))}
${removable && html`<th scope="col">Delete</th>`}
</tr></thead>
<tbody>
${rows}
</tbody>
</table></div>`;
}

/** The head of a column; where lists can be sorted by it, a link that does so, and back again. */
function heading(name: string, label: string, place: Place): Markup {
  const { sortable, description } = place.resource as Resource;
  const looks = numeric(description as Description, name);
  if (![...sortable, description?.identifier.name, 'createdAt'].includes(name))
    return html`<th scope="col"${looks}>${label}</th>`;
  const sorted = place.query.get('sort')?.[0] ?? description?.identifier.name;
  const search = new URLSearchParams(
    [...place.query].flatMap(([key, values]) =>
      ['sort', 'after', 'offset'].includes(key) ? [] : values.map((value): [string, string] => [key, value]),
    ),
  );
  search.set('sort', sorted === name ? `-${name}` : name);
  const order =
    sorted === name
      ? html` aria-sort="ascending"`
      : sorted === `-${name}`
        ? html` aria-sort="descending"`
        : '';
  return html`<th scope="col"${looks}${order}><a href="${place.basePath}${place.path}?${search}">${label}</a></th>`;
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
    : html`<td${numeric(description, name)}>${item[name] === undefined ? '' : shownField(item[name], fieldOf(description, name))}</td>`,
)}
${
  remove &&
  html`<td><details><summary>Delete<span class="hidden"> ${id}</span>…</summary>
<form method="post" action="${remove}">${keyInput(place.requestId)}${versionInput(version)}<button class="danger">Delete ${id}</button></form>
</details></td>`
}
</tr>`;
}

/** Numbers stand under one another by their last digit. */
const numeric = ({ fields }: Description, name: string): Markup | '' =>
  Object.hasOwn(fields, name) && ['integer', 'decimal'].includes(fields[name]?.kind as string)
    ? html` class="number"`
    : '';

/** Where items have no page of their own, they are deleted here. */
const removalAddress = (resource: Resource, place: Place, id: unknown): string | undefined =>
  resource.description?.identifier.kind === 'text' ? formAddress(resource, place, 'delete', id) : undefined;

/** Where files can be sent, a form that does so. */
function upload(resource: Resource, place: Place): Markup | '' {
  const takesFiles = resource.routes.some(({ operations }) => operations.POST?.content === 'files');
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

/** Where there is but one page, nothing. */
function pager(links: readonly LinkFact[]): Markup | '' {
  if (!links.some(({ rel }) => rel === 'prev' || rel === 'next')) return '';
  const shown = PAGES.flatMap(([rel, label]) =>
    links
      .filter((link) => link.rel === rel)
      .map(({ href }) => html`<li><a rel="${rel}" href="${href}">${label}</a></li>`),
  );
  return html`<nav aria-label="Pages"><ul class="links">${shown}</ul></nav>`;
}
