import { html } from 'hono/html';
import { ITEMS_INPUT } from '../../shared/representations/forms/inputs.ts';
import type { Place } from '../../shared/representations/representation.ts';
import { sightOf } from '../../shared/resource/access/sight.ts';
import { descriptionOf } from '../../shared/resource/resource.ts';
import { objectsIn } from '../history.ts';
import { columnsOf, table } from '../lists/columns.ts';
import { type Content, formAddress, listOf, requirePart } from '../markup.ts';
import { nameOf } from '../names/item-name.ts';
import type { PageDocument } from '../page-document.ts';

/**
 * Returns the page between a file of items and their creation: it shows the first ones, and sends the file again.
 *
 * Source: Specification 6.4, 7.18.
 */
export function itemsPlanContent({ members, planned }: PageDocument, place: Place): Content {
  const resource = requirePart(place.resource);
  const { description } = sightOf(descriptionOf(resource), place);
  const { action, fields, items = '' } = requirePart(planned);
  const rows = objectsIn({ items: members.effects }).flatMap(({ resource: name, after }) =>
    name === resource.name ? objectsIn({ items: [after] }) : [],
  );
  const total = Number(members.total);
  const count = `${total} ${total === 1 ? description.singular : resource.title.toLowerCase()}`;
  // The items get their numbers, and the names of related items, when they exist.
  const { title, identifier } = description;
  const isNamed = typeof title === 'string' || identifier.kind === 'text';
  const [lead, ...others] = columnsOf(rows, isNamed ? description : { ...description, title: undefined });
  const columns = others.filter((one) => one !== 'createdAt');
  return {
    title: `Create ${count}?`,
    breadcrumbs: [listOf(resource, place)],
    body: html`${table(
      rows,
      {
        label: 'Plan',
        columns: [lead, ...columns],
        head: (name, label) => html`<th scope="col">${name === lead && !isNamed ? 'Row' : label}</th>`,
        lead: (item, at) => html`${isNamed ? nameOf(description, item) : at}`,
      },
      { description },
      place,
    )}
${total > rows.length && html`<p>${total - rows.length} more are not shown.</p>`}
<form method="post" action="${place.basePath}${action}" enctype="multipart/form-data">
${[...fields].flatMap(([name, values]) => values.map((value) => html`<input type="hidden" name="${name}" value="${value}">`))}
<input type="hidden" name="${ITEMS_INPUT}" value="${items}">
<p class="actions"><button>Create ${count}</button> <a href="${formAddress(resource, place, 'new')}">Choose another file</a></p>
</form>`,
  };
}
