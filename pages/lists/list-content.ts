import { html } from 'hono/html';
import { itemHref } from '../../shared/representations/item.ts';
import type { Document, Place } from '../../shared/representations/representation.ts';
import type { Description } from '../../shared/resource/description/description.ts';
import type { ResourceFacts } from '../../shared/resource/facts.ts';
import { breadcrumbsOf } from '../frame/breadcrumbs.ts';
import { mayWrite } from '../frame/person.ts';
import { buttons, keyInput } from '../links.ts';
import { attribute, type Content, formAddress, type Markup, requirePart, takesFiles } from '../markup.ts';
import { idOf, nameOfItem, shortNameOf } from '../names/item-name.ts';
import type { PageDocument } from '../page-document.ts';
import { columnsOf, table } from './columns.ts';
import { filterForm } from './filter-form.ts';
import { columnHead, fieldAbove, type Listed, pager, range } from './list-controls.ts';
import { isFiltered } from './offered-filters.ts';
import { tickable, tickOf, tickTarget } from './ticked-rows.ts';

type Members = Readonly<Record<string, unknown>>;

/** Returns a page of a list as a table. The heads of sortable columns and the pager are links. */
export async function listContent(document: PageDocument, place: Place): Promise<Content> {
  const { members } = document;
  const resource = requirePart(place.resource);
  const description = requirePart(document.description);
  const shown = members as unknown as Listed;
  const { items, links, limit } = shown;
  const above = nameAbove(document, place.path);
  const create = creation(resource, place);
  const { usual, others } = buttons(links, resource.title.toLowerCase(), place);
  const removed = resource.history && html`<a href="${place.basePath}/${resource.name}/removed">Removed</a>`;
  return {
    title: above === undefined ? resource.title : `${resource.title} of ${above}`,
    breadcrumbs: breadcrumbsOf(place.path.split('/').slice(1, -1), place.basePath, above),
    actions: [
      create && html`<a class="button" href="${create}">New ${description.singular}</a>`,
      ...usual,
      ...others,
    ],
    body: html`${upload(resource, place)}
${shown.ignored && html`<p class="range">These parts of the address have no effect: ${shown.ignored.join(', ')}.</p>`}
${await filterForm({ items, limit, selected: document.selected, faults: document.faults }, resource, place)}
${items.length === 0 ? html`<p class="empty">${emptyText(shown, resource, place)}</p><p class="range">${removed}</p>` : html`<p class="range">${range(shown, place)}${removed && html` · ${removed}`}</p>${tickable(listTable(items, document, place), items, resource, place)}`}
${pager(links)}`,
  };
}

/** Returns the text of a page without items. After a filter, the items can be on later pages. Source: Specification 4.16. */
function emptyText({ links, offset }: Listed, resource: ResourceFacts, place: Place): string {
  if (links.some(({ rel }) => rel === 'next')) return 'Nothing is on this page, but the list continues.';
  const items = resource.title.toLowerCase();
  if (isFiltered(resource, place)) return `No ${items} match these filters.`;
  return offset > 0 ? `There are no more ${items}.` : `There are no ${items} yet.`;
}

/** Returns the address of the form for a new item. Under an item of another resource, it names that item in the query. */
function creation(resource: ResourceFacts, place: Place): string | undefined {
  if (!mayWrite(resource, place)) return undefined;
  const address = formAddress(resource, place, 'new');
  const field = fieldAbove(resource, place);
  return address !== undefined && field ? `${address}?${field}=${place.path.split('/')[2]}` : address;
}

/** Returns the name of the item above a nested list; undefined if no item of the list leads to it by a relation. */
function nameAbove({ expansions = [] }: Document, path: string): string | undefined {
  const [, collection, id, nested] = path.split('/');
  if (nested === undefined) return undefined;
  const read = expansions.find(({ relation }) => relation.to.name === collection);
  const item = read?.items.get(Number(id));
  return read && item && nameOfItem(read.relation.to.description, item);
}

/** Returns the table of the items. Its first column names each item and links it. */
function listTable(items: readonly Members[], document: Document, place: Place): Markup {
  const resource = requirePart(place.resource);
  const description = requirePart(document.description);
  const isTickable = tickTarget(resource, place) !== undefined;
  const isRemovable = removalAddress(resource, place, '') !== undefined;
  const keepsFiles = resource.routes.some(({ endpoints: { GET } }) => GET?.id === 'fileVersions');
  const above = fieldAbove(resource, place);
  const lead = (item: Members, at: number) => {
    const id = idOf(description, item);
    const name = description.title ? shortNameOf(description, item, document.expansions, above) : String(id);
    const address = place.basePath + itemHref(resource, id);
    return html`${isTickable && tickOf(id, at, document.versions?.[at - 1])}${thumbnail(item, description, address)}${item.links ? html`<a${attribute('href', address)}>${name}</a>` : name}${keepsFiles && html` <small><a href="${address}/versions">History<span class="hidden"> of ${name}</span></a></small>`}`;
  };
  const last = (item: Members) => {
    const id = idOf(description, item);
    return html`<a href="${removalAddress(resource, place, id)}">Delete<span class="hidden"> ${id}</span></a>`;
  };
  return table(
    items,
    {
      label: resource.title,
      columns: columnsOf(items, description, document.selected),
      head: (name, label) => columnHead(name, label, place),
      lead,
      ...(isRemovable ? { last } : {}),
    },
    document,
    place,
  );
}

/** Bytes of an image that a list shows as a thumbnail at most: the browser loads the whole image. */
const MAXIMUM_THUMBNAIL = 1_000_000;

/** Returns the image that a stored file is; empty for other files and other items. */
function thumbnail(
  { contentType, size }: Members,
  { identifier }: Description,
  address: string,
): Markup | '' {
  const isImage = identifier.kind === 'text' && /^image\//i.test(String(contentType));
  return isImage && Number(size) <= MAXIMUM_THUMBNAIL
    ? html`<img src="${address}" alt="" width="64" height="48" loading="lazy">`
    : '';
}

/** Returns the address of the form that deletes a file. Files have no page of their own, so the list leads there. */
const removalAddress = (resource: ResourceFacts, place: Place, id: unknown): string | undefined =>
  resource.description?.identifier.kind === 'text' && mayWrite(resource, place)
    ? formAddress(resource, place, 'delete', id)
    : undefined;

/** Returns the form for the upload of files, if the resource accepts them. */
function upload(resource: ResourceFacts, place: Place): Markup | '' {
  if (!takesFiles(resource) || !mayWrite(resource, place)) return '';
  return html`<form class="panel" method="post" action="${place.basePath}/${resource.name}" enctype="multipart/form-data">
${keyInput(place.requestId)}
<p><label for="upload">Files to store</label><input type="file" id="upload" name="file" multiple required></p>
<p><button>Upload</button></p>
</form>`;
}
