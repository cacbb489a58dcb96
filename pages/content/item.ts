import { html } from 'hono/html';
import type { Document, Place } from '../../shared/representations/representation.ts';
import { SERVER_FIELDS } from '../../shared/resource/description/description.ts';
import { capitalize } from '../../shared/resource/description/fields.ts';
import { mayWrite } from '../frame/person.ts';
import { buttons, linkList, linksOf } from '../links.ts';
import { type Content, formAddress, listOf, requirePart } from '../markup.ts';
import { headingOf, nameOf } from '../names/item-name.ts';
import { memberList, shownProperty } from '../property.ts';
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
  // The response to the creation alone has it.
  const once = Object.entries(description.fields).flatMap(([name, field]) =>
    'once' in field && members[name] !== undefined ? [name] : [],
  );
  const above = ['links', ...once, ...(resource.tracked ? IN_STATE : [])];
  // If the heading names the item, its number is a detail.
  const number = description.identifier.name;
  const { name, beside } = headingOf(description, members, document.expansions);
  const isNamed = name !== nameOf({ ...description, title: undefined }, members);
  if (isNamed) above.push(number);
  const present = Object.keys(members).filter((name) => !above.includes(name));
  // A state is beside the heading, and other values of the title are below it. Times are beside the facts.
  const isState = (one: string) => resource.process?.field === one;
  const values = beside.filter((one) => !isState(one));
  const facts = present.filter((one) => one !== number && !isState(one) && !SERVER_FIELDS.has(one));
  const apart = present.filter((one) => !facts.includes(one) && !(isState(one) && beside.includes(one)));
  const isWriter = mayWrite(resource, place);
  const edit = isWriter ? formAddress(resource, place, 'edit', id) : undefined;
  const { tracked } = resource;
  const removal = tracked?.removal ?? 'delete';
  const removable = !tracked || links.some(({ rel }) => rel === removal);
  const remove = removable && isWriter ? formAddress(resource, place, 'delete', id) : undefined;
  const { usual, others: asking } = buttons(links, description.singular, place, document.version);
  const shown = (one: string) => shownProperty(one, members, document, place);
  const dangers = [
    ...asking,
    ...(remove ? [html`<a class="button quiet danger" href="${remove}">${capitalize(removal)}</a>`] : []),
  ];
  return {
    title,
    heading: html`${name}${beside.filter(isState).map((one) => html` ${shown(one)}`)}`,
    breadcrumbs: [listOf(resource, place)],
    actions: [...usual, edit && html`<a class="button quiet" href="${edit}">Edit</a>`],
    body: html`${document.notice !== undefined && html`<p class="effect" role="status" tabindex="-1" autofocus>${document.notice}${once.map((one) => html` <code data-copy>${members[one]}</code>`)}</p>`}
${(isNamed || values.length > 0) && html`<p class="identity">${[...values.map(shown), ...(isNamed ? [`${description.identifier.label} ${members[number]}`] : [])].map((one, at) => html`${at > 0 && ' · '}${one}`)}</p>`}
${tracked && operationState(document)}
<div class="item">${memberList(facts, document, place)}
<div class="beside">${related.map(({ markup }) => markup)}
${memberList(apart, document, place)}
${linkList([...others, ...history], 'Related')}
${dangers.length > 0 && html`<div class="actions">${dangers}</div>`}</div></div>`,
  };
}
