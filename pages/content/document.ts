import { html } from 'hono/html';
import type { Place } from '../../shared/representations/representation.ts';
import { capitalize } from '../../shared/resource/description/fields.ts';
import type { LinkFact } from '../../shared/resource/link.ts';
import { changesContent, planContent } from '../changes.ts';
import { deliveriesContent } from '../deliveries/deliveries-content.ts';
import { mayRead } from '../frame/navigation.ts';
import { removedContent, versionsContent } from '../history.ts';
import { linkList } from '../links.ts';
import type { Content, Markup } from '../markup.ts';
import type { PageDocument } from '../page-document.ts';
import { showValue } from '../shown-value.ts';
import { homeContent } from './home.ts';
import { rowsTable } from './rows.ts';

/**
 * Returns the page of a document of the service, such as the root: its properties, its form if it has one, then its links.
 */
export function documentContent(document: PageDocument, place: Place): Content | Promise<Content> {
  const { name, members, asks, rows } = document;
  if (name === 'home') return homeContent(document, place);
  if (name === 'versions') return versionsContent(document, place);
  if (name === 'changes') return changesContent(document, place);
  if (name === 'plan') return planContent(document, place);
  if (name === 'deliveries' || name === 'delivery') return deliveriesContent(document, place);
  if (name === 'removed') return removedContent(document, place);
  const { title, links, ...others } = members as { title?: string; links?: readonly LinkFact[] };
  return {
    title: title ?? ((asks || rows) && place.resource ? place.resource.title : capitalize(name)),
    breadcrumbs: [],
    body: html`${rows ? rowsTable(document, rows, place) : membersList(others)}
${(links ?? []).filter(({ rel }) => rel === 'sign-out').map(signOut)}
${asks && question(asks, place)}
<div class="tiles">${linkList(
      rows ? [] : (links ?? []).filter(({ href }) => mayRead(href, place)),
      'Where to go',
    )}</div>`,
  };
}

/** Returns the button that signs out; the link to the issuer needs no form. */
const signOut = ({ method, href, title }: LinkFact): Markup | '' =>
  method === 'POST' ? html`<form method="post" action="${href}"><button>${title}</button></form>` : '';

/** Returns a form for query parameters: the browser reads the same path with them. */
const question = (names: readonly string[], { basePath, path, query, resource }: Place): Markup =>
  html`<form method="get" action="${basePath}${path}">
${names.map((name) => {
  const { label = name, seldom = false } = resource?.parameters[name] ?? {};
  return html`<div class="field">
<label for="input-${name}">${label}${seldom ? '' : html` <span class="required">(required)</span>`}</label>
<input id="input-${name}" name="${name}" type="text" value="${query.get(name)?.[0] ?? ''}"${seldom ? '' : html` required`}>
</div>`;
})}
<p class="actions"><button>Show</button></p>
</form>`;

function membersList(members: Readonly<Record<string, unknown>>): Markup | '' {
  const names = Object.keys(members).filter((name) => members[name] !== undefined);
  if (names.length === 0) return '';
  return html`<dl>${names.map((name) => html`<dt>${capitalize(name)}</dt><dd>${nested(members[name])}</dd>`)}</dl>`;
}

function nested(value: unknown): Markup | string {
  if (!Array.isArray(value)) return showValue(value);
  return html`<ul>${value.map((one) => html`<li>${nested(one)}</li>`)}</ul>`;
}
