import { html } from 'hono/html';
import type { Document, Place } from '../representations/representation.ts';
import type { Description } from '../resource/description.ts';
import type { LinkFact } from '../resource/link.ts';
import type { Resource } from '../resource/resource.ts';
import { buttons, linkList } from './links.ts';
import { type Content, formAddress, labelOf, listOf, type Markup, nameOf } from './markup.ts';
import { shown } from './value.ts';

/** An item: its members, its image, where it leads, and what can be done with it. */
export function itemContent({ members, description: described }: Document, place: Place): Content {
  const description = described as Description;
  const resource = place.resource as Resource;
  const id = members[description.identifier.name];
  const links = (members.links ?? []) as readonly LinkFact[];
  const names = Object.keys(members).filter((name) => name !== 'links');
  const [edit, remove] = [
    formAddress(resource, place, 'edit', id),
    formAddress(resource, place, 'delete', id),
  ];
  return {
    title: nameOf(description, id),
    way: [listOf(resource, place)],
    body: html`${imageOf(links, nameOf(description, id))}
<dl>
${names.map((name) => html`<dt>${labelOf(description, name)}</dt><dd>${shown(members[name])}</dd>`)}
</dl>
${linkList(links, 'Related')}
<div class="actions">
${edit && html`<a class="button" href="${edit}">Edit</a>`}
${remove && html`<a class="button" href="${remove}">Delete</a>`}
${buttons(links, place.requestId)}
</div>`,
  };
}

function imageOf(links: readonly LinkFact[], name: string): Markup | '' {
  const image = links.find(({ rel }) => rel === 'image');
  return image ? html`<img src="${image.href}" alt="${name}">` : '';
}
