import { html } from 'hono/html';
import type { Document, Place } from '../../shared/representations/representation.ts';
import { SERVER_FIELDS } from '../../shared/resource/description/description.ts';
import { capitalize } from '../../shared/resource/description/fields.ts';
import { mayWrite } from '../frame/person.ts';
import { buttons, linkList, linksOf } from '../links.ts';
import { type Content, formAddress, listOf, requirePart } from '../markup.ts';
import { nameOf } from '../names/item-name.ts';
import { memberList } from '../property.ts';
import { IN_STATE, operationState } from './operation-state.ts';
import { relatedSections } from './related-lists.ts';

/** Returns the page of an item: its properties with pictures, its links and its actions. */
export async function itemContent(document: Document, place: Place): Promise<Content> {
  const { members } = document;
  const description = requirePart(document.description);
  const resource = requirePart(place.resource);
  const id = members[description.identifier.name];
  const links = linksOf(members);
  const history = (document.history ?? []).slice(0, 1).map(({ href }) => ({ rel: 'version-history', href }));
  const title = nameOf(description, members, document.expansions);
  const related = await relatedSections(
    document,
    { collection: resource.name, id: id as number, name: title },
    place,
  );
  // The properties show the items that relations lead to, and the sections below show the related lists.
  const others = links.filter(
    ({ rel, href }) =>
      !Object.hasOwn(resource.relations, rel) &&
      !(resource.tracked && rel === 'result') &&
      !related.some(({ address }) => address === href),
  );
  const above = ['links', ...(resource.tracked ? IN_STATE : [])];
  // If the heading names the item, its number is a detail.
  const number = description.identifier.name;
  const isNamed = title !== nameOf({ ...description, title: undefined }, members);
  if (isNamed) above.push(number);
  const present = Object.keys(members).filter((name) => !above.includes(name));
  const last = [number, ...SERVER_FIELDS];
  const names = [
    ...present.filter((name) => !last.includes(name)),
    ...last.filter((name) => present.includes(name)),
  ];
  const isWriter = mayWrite(resource, place);
  const edit = isWriter ? formAddress(resource, place, 'edit', id) : undefined;
  const { tracked } = resource;
  const removal = tracked?.removal ?? 'delete';
  const removable = !tracked || links.some(({ rel }) => rel === removal);
  const remove = removable && isWriter ? formAddress(resource, place, 'delete', id) : undefined;
  return {
    title,
    breadcrumbs: [listOf(resource, place)],
    actions: [
      ...buttons(links, description.singular, place, document.version),
      edit && html`<a class="button quiet" href="${edit}">Edit</a>`,
      remove && html`<a class="button quiet danger" href="${remove}">${capitalize(removal)}</a>`,
    ],
    body: html`${document.notice !== undefined && html`<p class="effect" role="status" tabindex="-1" autofocus>${document.notice}</p>`}
${isNamed && html`<p class="identity">${description.identifier.label} ${members[number]}</p>`}
${tracked && operationState(document)}
${memberList(names, document, place)}
${linkList([...others, ...history], 'Related')}
${related.map(({ markup }) => markup)}`,
  };
}
