import { html } from 'hono/html';
import { NAVIGATION } from '#service';
import { isObject, type JsonValue } from '../shared/json/value.ts';
import type { Place } from '../shared/representations/representation.ts';
import { UNDO_SCOPE } from '../shared/resource/access/access.ts';
import { AUDIT_SCOPE, hasScope } from '../shared/resource/access/sight.ts';
import { itemsPlanContent } from './content/items-plan.ts';
import { nameAt } from './frame/breadcrumbs.ts';
import { mayRead } from './frame/navigation.ts';
import { authorName } from './frame/person.ts';
import { objectsIn } from './history.ts';
import { keyInput, linksOf } from './links.ts';
import { pager } from './lists/list-controls.ts';
import { type Content, type Markup, requirePart } from './markup.ts';
import type { PageDocument } from './page-document.ts';
import { PLAN_INPUT } from './page-inputs.ts';
import { difference, showValue } from './shown-value.ts';

/** The times from which a person reads the changes, in minutes before now. */
const SINCE: readonly (readonly [string, number])[] = [
  ['15 minutes', 15],
  ['hour', 60],
  ['day', 24 * 60],
  ['week', 7 * 24 * 60],
];

const given = ({ query }: Place, name: string): string => query.get(name)?.[0] ?? '';

/** Returns the page with the changes of all items, oldest first. */
export function changesContent({ members }: PageDocument, place: Place): Content {
  const events = objectsIn(members);
  const { title } = requirePart(place.resource);
  const links = linksOf(members);
  const seesAuthors = hasScope(place, AUDIT_SCOPE);
  const rows = events.map(({ type, subject, time, data }) => {
    const [, change = ''] = String(type).split('.');
    const path = String(subject);
    const values = isObject(data) ? data : {};
    // The last author of a removed item is not the one who removed it.
    const by = change === 'removed' ? given(place, 'by') : values.updatedBy;
    return html`<tr><td>${showValue(time)}</td><th scope="row"><a href="${place.basePath}${path}">${nameAt(path, values)}</a></th><td>${change}</td>${seesAuthors && html`<td>${authorName(by, place)}</td>`}</tr>`;
  });
  return {
    title,
    breadcrumbs: [],
    body: html`${filters(place, seesAuthors)}
${
  events.length === 0
    ? html`<p>This page has no changes. ${links.map(({ rel, href }) => html`<a rel="${rel}" href="${href}">Later changes</a>`)}</p>`
    : html`${undoForm(place)}<div class="scroll" role="region" aria-label="${title}" tabindex="0"><table>
<thead><tr><th scope="col">When</th><th scope="col">Item</th><th scope="col">Change</th>${seesAuthors && html`<th scope="col">By</th>`}</tr></thead>
<tbody>${rows}</tbody></table></div>`
}
${events.length > 0 && pager(links)}`,
  };
}

/** Returns the form that selects changes by their collection, their time, and for auditors by their author. */
function filters(place: Place, seesAuthors: boolean): Markup {
  const collections = NAVIGATION.collections.filter((one) => one.hasHistory && mayRead(one.path, place));
  const since = given(place, 'since');
  const option = (value: string, label: string, present: string): Markup =>
    html`<option value="${value}"${value === present && html` selected`}>${label}</option>`;
  const ago = (minutes: number) => new Date(place.receivedAt - minutes * 60_000).toISOString();
  return html`<search class="filters above"><form method="get" action="${place.basePath}${place.path}">
<label>Collection
<select name="resource">${option(collections.map(({ path }) => path.slice(1)).join(','), 'All', given(place, 'resource'))}${collections.map(({ path, title }) => option(path.slice(1), title, given(place, 'resource')))}</select></label>
<label>Since
<select name="since">${since !== '' && option(since, since, since)}${SINCE.map(([label, minutes]) => option(ago(minutes), `The last ${label}`, since))}</select></label>
${
  seesAuthors &&
  html`<label>By
<input name="by" value="${given(place, 'by')}"></label>`
}
<button class="quiet">Search</button>
</form></search>`;
}

/** Returns the button that plans the undo of the changes on the page; empty before a person has chosen their time. */
function undoForm(place: Place): Markup | '' {
  const [since, by] = [given(place, 'since'), given(place, 'by')];
  if (!hasScope(place, UNDO_SCOPE)) return '';
  if (since === '') return html`<p class="hint">To undo changes, choose their time first.</p>`;
  const resources = given(place, 'resource').split(',').join('\n');
  const inputs = { since, by, resources };
  return html`<form method="post" action="${place.basePath}/changes/undo">
${keyInput(place.requestId)}<input type="hidden" name="${PLAN_INPUT}" value="yes">
${Object.entries(inputs).map(([name, value]) => value !== '' && html`<input type="hidden" name="${name}" value="${value}">`)}
<p class="actions"><button class="quiet">${by === '' ? 'Undo your changes…' : `Undo the changes of ${by}…`}</button></p>
</form>`;
}

/** Returns the page between a request and its effects: it shows them, and asks. */
export function planContent(document: PageDocument, place: Place): Content {
  const { members, planned } = document;
  const { action, fields, items } = requirePart(planned);
  if (items !== undefined) return itemsPlanContent(document, place);
  const effects = Array.isArray(members.effects) ? members.effects.filter(isObject) : [];
  const total = Number(members.total);
  const shown = effects.map(({ resource, id, change, before, after }) => {
    const path = `/${resource}/${id}`;
    const values = isObject(after) ? after : isObject(before) ? before : {};
    return html`<tr><th scope="row"><a href="${place.basePath}${path}">${nameAt(path, values)}</a></th><td>${WORDS.get(String(change)) ?? String(change)}</td><td>${changed(before, after)}</td></tr>`;
  });
  const count = `${total} ${total === 1 ? 'item' : 'items'}`;
  return {
    title: total === 0 ? 'There is nothing to undo' : `Undo these changes of ${count}?`,
    breadcrumbs: [['Changes', `${place.basePath}/changes`]],
    body: html`${
      total > 0 &&
      html`<div class="scroll" role="region" aria-label="Plan" tabindex="0"><table>
<thead><tr><th scope="col">Item</th><th scope="col">It will be</th><th scope="col">Values</th></tr></thead>
<tbody>${shown}</tbody></table></div>
${total > effects.length && html`<p>${total - effects.length} more are not shown.</p>`}
<p class="hint">Items with later changes of others are left out. An undo can be undone, too.</p>`
    }
<form method="post" action="${place.basePath}${action}">
${[...fields].flatMap(([name, values]) => values.map((value) => html`<input type="hidden" name="${name}" value="${value}">`))}
<p class="actions">${total > 0 && html`<button class="danger">Undo ${count}</button> `}<a href="${place.basePath}/changes">${total > 0 ? 'Keep them' : 'Back'}</a></p>
</form>`,
  };
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['created', 'back again'],
  ['restored', 'back again'],
  ['updated', 'as it was'],
]);

const OF_SERVICE = ['updatedAt', 'updatedBy', 'version'];

/** Returns the values that differ, before and after; empty for an item that comes or goes as a whole. */
function changed(before: JsonValue | undefined, after: JsonValue | undefined): Markup[] {
  if (!isObject(before) || !isObject(after)) return [];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !OF_SERVICE.includes(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return names.map((name) => difference(name, showValue(before[name]), showValue(after[name])));
}
