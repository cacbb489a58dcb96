import { html } from 'hono/html';
import { KEY_INPUT, VERSION_INPUT } from '../shared/representations/forms/inputs.ts';
import type { Document, Place } from '../shared/representations/representation.ts';
import { hasScope } from '../shared/resource/access/sight.ts';
import { capitalize } from '../shared/resource/description/fields.ts';
import type { ResourceFacts } from '../shared/resource/facts.ts';
import type { LinkFact } from '../shared/resource/link.ts';
import type { Process } from '../shared/resource/process.ts';
import { mayWrite } from './frame/person.ts';
import { type Markup, requirePart } from './markup.ts';

/** Relations that the page shows in another place, or that are for API clients. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'self',
  'collection',
  'describedby',
  'service-desc',
  'image',
  'renew',
  'first',
  'prev',
  'next',
]);

/** Returns the links of an item. */
export const linksOf = ({ links = [] }: Document['members']): readonly LinkFact[] =>
  links as readonly LinkFact[];

/** Returns the links with GET, as a list. */
export function linkList(links: readonly LinkFact[], label: string): Markup | '' {
  const shown = links.filter(({ rel, method = 'GET' }) => method === 'GET' && !ELSEWHERE.has(rel));
  if (shown.length === 0) return '';
  return html`<nav aria-label="${label}"><ul class="links">
${shown.map(({ rel, href, title, description }) => html`<li><a href="${plain(href)}">${title ?? (rel === 'related' ? href : rel === 'version-history' ? 'History' : capitalize(rel))}</a>${description && html`<p class="hint">${description}</p>`}</li>`)}
</ul></nav>`;
}

/** Returns a URI template without its variables, which the page there asks for. */
const plain = (href: string): string => href.split('{', 1)[0] ?? '';

/** Returns the action of a link, if a page below the resource performs it. */
const actionOf = ({ routes }: ResourceFacts, rel: string) =>
  routes.find(({ endpoints: { POST } }) => POST?.id === rel && POST.form !== undefined)?.endpoints.POST;

/**
 * The buttons of an item or of a list. `usual`: the next step, and the actions that have a form. `others`: those that ask
 * for confirmation.
 */
interface Buttons {
  readonly usual: readonly Markup[];
  readonly others: readonly Markup[];
}

/**
 * Returns the transitions and other actions that the state of the item or of the list allows, each as a button. The
 * first one is the usual next step. Each other one, such as a cancellation, asks for confirmation, and so does the first
 * one if nothing leads back. An action with a body has a link to its form. Actions that the person may not perform are
 * left out. `noun`: what they change. `version`: the one that the page shows of the item.
 */
export function buttons(links: readonly LinkFact[], noun: string, place: Place, version?: string): Buttons {
  const resource = requirePart(place.resource);
  const { process } = resource;
  const hidden = html`${keyInput(place.requestId)}${versionInput(version)}`;
  const isWriter = mayWrite(resource, place);
  const usual: Markup[] = [];
  const others: Markup[] = [];
  const shown = links
    .filter(({ rel, method }) => method === 'POST' && !ELSEWHERE.has(rel))
    .map((link) => ({ ...link, action: actionOf(resource, link.rel) }))
    .filter(({ action }) => (action?.scope === undefined ? isWriter : hasScope(place, action.scope)));
  for (const [at, { rel, href, title, action }] of shown.entries()) {
    const label = title ?? `${capitalize(rel)} ${noun}`;
    const isNext = at === 0;
    if (action?.form === 'action') usual.push(html`<a class="button quiet" href="${href}">${label}</a>`);
    else if (isNext && !isFinal(process, rel))
      usual.push(post(href, hidden, html`<button>${label}</button>`));
    else {
      const step = html`${isFinal(process, rel) && NO_WAY_BACK} <button${isNext ? '' : DANGER}>${label} now</button>`;
      (isNext ? usual : others).push(
        twoSteps(`${label}…`, isNext ? '' : 'quiet danger', post(href, hidden, step)),
      );
    }
  }
  return { usual, others };
}

const DANGER = html` class="danger"`;

/** The sentence in the confirmation of a transition, if nothing leads back. */
export const NO_WAY_BACK = html`<small class="hint">This cannot be undone.</small>`;

/** Returns an action in two steps: its button shows the second one, without a script. `look`: the classes of the button. */
export const twoSteps = (label: string, look: string, step: Markup): Markup =>
  html`<details class="confirmed"><summary class="${`button ${look}`.trim()}">${label}</summary>
${step}
</details>`;

const post = (action: string, hidden: Markup, button: Markup): Markup =>
  html`<form method="post" action="${action}">${hidden}${button}</form>`;

/** Returns a button that needs no other input. */
export const quietButton = (href: string, label: string, { requestId }: Place): Markup =>
  post(href, keyInput(requestId), html`<button class="quiet">${label}</button>`);

/** Returns the hidden input with the idempotency key of a form. */
export const keyInput = (key: string): Markup =>
  html`<input type="hidden" name="${KEY_INPUT}" value="${key}">`;

/** Returns the hidden input with the entity tag of the version that a form shows; empty if there is no version. */
const versionInput = (tag: string | undefined): Markup | '' =>
  tag === undefined ? '' : html`<input type="hidden" name="${VERSION_INPUT}" value="${tag}">`;

/** True if no transitions lead back from the state after this one to a state before it. */
export function isFinal(process: Process | undefined, name: string): boolean {
  const { transitions = {} } = process ?? {};
  const { from = [], to } = transitions[name] ?? {};
  const reached = new Set([to]);
  for (const state of reached)
    for (const one of Object.values(transitions))
      if (one.from.some((before) => before === state)) reached.add(one.to);
  return to !== undefined && !from.some((state) => reached.has(state));
}
