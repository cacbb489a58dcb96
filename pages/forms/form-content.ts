import { html } from 'hono/html';
import { COPIES_INPUT, FORMATS_OF_ITEMS, ITEMS_INPUT } from '../../shared/representations/forms/inputs.ts';
import type { Place } from '../../shared/representations/representation.ts';
import { isShownBinary } from '../../shared/resource/binary.ts';
import { isServerField, SERVER_FIELDS } from '../../shared/resource/description/description.ts';
import type { ResourceFacts } from '../../shared/resource/facts.ts';
import { referrersTo } from '../content/referrers.ts';
import { keyInput, linksOf } from '../links.ts';
import { type Content, labelOf, type Markup, requirePart, sentence } from '../markup.ts';
import type { Form, PageDocument } from '../page-document.ts';
import { AGAIN_INPUT, PLAN_INPUT } from '../page-inputs.ts';
import { placeOf } from '../problem-text.ts';
import { fieldOf, memberList } from '../property.ts';
import { faultInWords } from '../words.ts';
import { fieldMarkup } from './field-markup.ts';
import { formModel, type HiddenInput } from './form-model.ts';
import { type Input, isFixed, isLocked } from './inputs.ts';
import { offersFor } from './offers.ts';

/** Returns the page of a form: to create an item, to change it, or to confirm its removal. */
export function formContent(document: PageDocument, place: Place): Content | Promise<Content> {
  const { kind } = requirePart(document.form);
  if (kind === 'transition') return transition(document, place);
  return kind === 'delete' ? confirmation(document, place) : editor(document, place);
}

async function confirmation(document: PageDocument, place: Place): Promise<Content> {
  const { members } = document;
  const description = requirePart(document.description);
  const { refused } = requirePart(document.form);
  const { title, submit, breadcrumbs, ...model } = formModel(document, place);
  const { tracked, history } = requirePart(place.resource);
  const isCancellation = tracked !== undefined;
  const undoing = history ? `You can undo this for ${history.days} days.` : 'This cannot be undone.';
  const names = Object.keys(members).filter((one) => !isServerField(description, one));
  const item = {
    collection: requirePart(place.resource).name,
    id: Number(members[description.identifier.name]),
  };
  const { markup: referrers, forbid } = await referrersTo(document, item, place);
  const button = html`<button class="danger">${submit}</button> `;
  return {
    title,
    breadcrumbs,
    body: html`${refused && summary(refused, [], place)}
${memberList(names, document, place)}
${referrers}
<p>${isCancellation ? 'The work that is already done remains.' : undoing}</p>
<form method="post" action="${model.action}">
${model.hidden.map(hiddenInput)}
<p class="actions">${!forbid && button}<a href="${breadcrumbs.at(-1)?.[1]}">${isCancellation ? 'Do not cancel' : 'Keep it'}</a></p>
</form>`,
  };
}

/** Returns the current state of an item that has changed, and its transition again if the state allows it. */
function transition(document: PageDocument, place: Place): Content {
  const { members } = document;
  const description = requirePart(document.description);
  const { refused, action } = requirePart(document.form);
  const { title, submit, breadcrumbs, ...model } = formModel(document, place);
  const isAllowed = linksOf(members).some(({ rel, method }) => rel === action?.id && method === 'POST');
  const own = [description.identifier.name, ...SERVER_FIELDS];
  const button = html`<form method="post" action="${model.action}">${model.hidden.map(hiddenInput)}<button>${submit}</button></form>`;
  return {
    title: `${title}?`,
    breadcrumbs,
    body: html`${refused && summary(refused, [], place)}
${memberList(
  Object.keys(members).filter((name) => !own.includes(name)),
  document,
  place,
)}
${!isAllowed && html`<p>Its present state does not allow this any more.</p>`}
<div class="actions">${isAllowed && button}<a href="${breadcrumbs.at(-1)?.[1]}">Leave it</a></div>`,
  };
}

async function editor(document: PageDocument, place: Place): Promise<Content> {
  const { kind, refused, isStale } = requirePart(document.form);
  const {
    title,
    submit,
    breadcrumbs,
    inputs: all,
    ...model
  } = formModel(document, place, await offersFor(document, place));
  return {
    title: refused
      ? `${title}: ${refused.signIn ? 'sign in again' : isStale ? 'it has changed' : 'please correct it'}`
      : title,
    breadcrumbs,
    body: html`${refused && summary(refused, all, place)}
<form method="post" action="${model.action}"${model.enctype === 'multipart/form-data' && html` enctype="${model.enctype}"`}>
${model.hidden.map(hiddenInput)}
${all.map(fieldMarkup)}
<p class="actions"><button>${submit}</button> ${kind === 'new' && html`<button class="quiet" name="${AGAIN_INPUT}" value="new">Create and add another</button> `}<a href="${breadcrumbs.at(-1)?.[1]}">Cancel</a></p>
</form>
${kind === 'edit' && fixed(document, place)}
${kind === 'new' && itemsForm(requirePart(place.resource), place)}`,
  };
}

const hiddenInput = ({ name, value }: HiddenInput): Markup =>
  html`<input type="hidden" name="${name}" value="${value}">`;

/**
 * Returns the errors and the values that differ, each with a link to its input. Without a script, `autofocus` leads a
 * keyboard or a screen reader to them.
 */
function summary(
  { title, detail, errors, lines, made, signIn }: NonNullable<Form['refused']>,
  all: readonly Input[],
  place: Place,
): Markup {
  // The description of the resource also has the fields for which this person gets no input.
  const description = requirePart(place.resource?.description);
  const differing = all.filter(({ stored }) => stored !== undefined);
  const faulty = errors.map((error) => {
    const input = all.find(({ pointer }) => `${error.pointer}/`.startsWith(`${pointer}/`));
    const where = placeOf(error, (name) => input?.label ?? labelOf(description, name), lines);
    const text = `${where && `${where}: `}${faultInWords(error)}`;
    return html`<li>${input ? html`<a href="#${input.id}">${text}</a>` : text}</li>`;
  });
  const faults = [
    ...differing.map(({ id, label }) => html`<li><a href="#${id}">${label} differs</a></li>`),
    ...faulty,
  ];
  return html`<div class="refused" role="alert" tabindex="-1" autofocus>
<h2>${title}</h2>
<p>${sentence(detail)}</p>
${made !== undefined && html`<p><a href="${made}">Show what you sent first</a></p>`}
${signIn && html`<p><a href="${signIn}" target="_blank" rel="noopener">Sign in again in a new tab</a>, then come back to this page and send the form again.</p>`}
${faults.length > 0 && html`<ul>${faults}</ul>`}
</div>`;
}

/** Returns the properties that a form cannot carry. They stay unchanged. */
function fixed(document: PageDocument, place: Place): Markup | '' {
  const { members } = document;
  const description = requirePart(document.description);
  const names = Object.keys(members).filter((name) => {
    const field = fieldOf(description, name);
    if (field && isLocked(field, members, place)) return true;
    return (
      !isServerField(description, name) &&
      (field?.kind ?? 'any') === 'any' &&
      isFixed(members[name]) &&
      !isShownBinary(members[name], name)
    );
  });
  if (names.length === 0) return '';
  return html`<h2>Not in this form</h2>
<p>They stay as they are.</p>
${memberList(names, document, place)}`;
}

/** Returns a form that creates all items of a file; empty if the resource does not create several items at once. */
export function itemsForm(
  { name, title, routes }: Pick<ResourceFacts, 'name' | 'title' | 'routes'>,
  { basePath, requestId }: Pick<Place, 'basePath' | 'requestId'>,
): Markup | '' {
  const path = `/${name}`;
  if (!routes.some((one) => one.path === path && one.endpoints.POST?.several)) return '';
  const accept = [...FORMATS_OF_ITEMS.keys()].map((ending) => `.${ending}`).join(',');
  return html`<h2>${title} from a file</h2>
<form class="panel" method="post" action="${basePath}${path}" enctype="multipart/form-data">
${keyInput(requestId)}
<p><label for="items">File with many ${title.toLowerCase()}</label><input type="file" id="items" name="${ITEMS_INPUT}" accept="${accept}" aria-describedby="items-hint" required></p>
<p class="hint" id="items-hint">CSV with the names of the properties in its first row, JSON, JSON Lines or XML. At most 10,000 ${title.toLowerCase()} and 1 MB.</p>
<p><label><input type="checkbox" name="${COPIES_INPUT}" value="yes"> Make copies of items that have a number</label></p>
<p class="actions"><button>Create all</button> <button class="quiet" name="${PLAN_INPUT}" value="yes">Preview</button></p>
</form>`;
}
