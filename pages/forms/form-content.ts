import { html } from 'hono/html';
import { TAKE_INPUT } from '../../shared/representations/forms/form.ts';
import type { Place } from '../../shared/representations/representation.ts';
import { isShownBinary, type ShownBinary } from '../../shared/resource/binary.ts';
import { isServerField, SERVER_FIELDS } from '../../shared/resource/description/description.ts';
import { memberList } from '../content/member-list.ts';
import { referrersTo } from '../content/referrers.ts';
import { linksOf } from '../links.ts';
import { type Content, labelOf, type Markup, requirePart, sentence } from '../markup.ts';
import { AGAIN_INPUT } from '../own-inputs.ts';
import type { Form, PageDocument } from '../page-document.ts';
import { placeOf } from '../problem-text.ts';
import { fieldOf } from '../property.ts';
import { shownBytes } from '../value.ts';
import { faultInWords } from '../words.ts';
import { formModel, type HiddenInput } from './form-model.ts';
import { type Input, isFixed, type RelatedInput } from './inputs.ts';
import { itemsForm } from './items-form.ts';
import { namedInput, namedValue } from './named-input.ts';
import { type Candidate, offersFor } from './offers.ts';

/** The page of a form: to create an item, to change it, or to confirm its removal. */
export function formContent(document: PageDocument, place: Place): Content | Promise<Content> {
  const { kind } = requirePart(document.form);
  if (kind === 'transition') return transition(document, place);
  return kind === 'delete' ? confirmation(document, place) : editor(document, place);
}

async function confirmation(document: PageDocument, place: Place): Promise<Content> {
  const { members } = document;
  const description = requirePart(document.description);
  const { refused } = requirePart(document.form);
  const { title, submit, way, ...model } = formModel(document, place);
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
    way,
    body: html`${refused && summary(refused, [], place)}
${memberList(names, document, place)}
${referrers}
<p>${isCancellation ? 'The work that is already done remains.' : undoing}</p>
<form method="post" action="${model.action}">
${model.hidden.map(hiddenInput)}
<p class="actions">${!forbid && button}<a href="${way.at(-1)?.[1]}">${isCancellation ? 'Do not cancel' : 'Keep it'}</a></p>
</form>`,
  };
}

/** The present state of an item that has changed, and its transition again if the state allows it. */
function transition(document: PageDocument, place: Place): Content {
  const { members } = document;
  const description = requirePart(document.description);
  const { refused, action } = requirePart(document.form);
  const { title, submit, way, ...model } = formModel(document, place);
  const isAllowed = linksOf(members).some(({ rel, method }) => rel === action?.id && method === 'POST');
  const own = [description.identifier.name, ...SERVER_FIELDS];
  const button = html`<form method="post" action="${model.action}">${model.hidden.map(hiddenInput)}<button>${submit}</button></form>`;
  return {
    title: `${title}?`,
    way,
    body: html`${refused && summary(refused, [], place)}
${memberList(
  Object.keys(members).filter((name) => !own.includes(name)),
  document,
  place,
)}
${!isAllowed && html`<p>Its present state does not allow this any more.</p>`}
<div class="actions">${isAllowed && button}<a href="${way.at(-1)?.[1]}">Leave it</a></div>`,
  };
}

async function editor(document: PageDocument, place: Place): Promise<Content> {
  const { kind, refused, isStale } = requirePart(document.form);
  const {
    title,
    submit,
    way,
    inputs: all,
    ...model
  } = formModel(document, place, await offersFor(document, place));
  return {
    title: refused
      ? `${title}: ${refused.signIn ? 'sign in again' : isStale ? 'it has changed' : 'please correct it'}`
      : title,
    way,
    body: html`${refused && summary(refused, all, place)}
<form method="post" action="${model.action}"${model.enctype === 'multipart/form-data' && html` enctype="${model.enctype}"`}>
${model.hidden.map(hiddenInput)}
${all.map(field)}
<p class="actions"><button>${submit}</button> ${kind === 'new' && html`<button class="quiet" name="${AGAIN_INPUT}" value="new">Create and add another</button> `}<a href="${way.at(-1)?.[1]}">Cancel</a></p>
</form>
${kind === 'edit' && fixed(document, place)}
${kind === 'new' && itemsForm(requirePart(place.resource), place)}`,
  };
}

const hiddenInput = ({ name, value }: HiddenInput): Markup =>
  html`<input type="hidden" name="${name}" value="${value}">`;

/**
 * The errors and the values that differ, each with a link to its input. Without a script, `autofocus` leads a keyboard
 * or a screen reader to them.
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

function field({
  id,
  name,
  label,
  value,
  stored,
  required,
  type,
  mode,
  choices,
  related,
  errors,
  hint,
  accept,
  bytes,
}: Input): Markup {
  const hints = [...(hint ? [`${id}-hint`] : []), ...(stored === undefined ? [] : [`${id}-stored`])];
  const described = [...hints, ...errors.map((_, at) => `${id}-error-${at}`)].join(' ');
  const state = html`${described && html` aria-describedby="${described}"`}${errors.length > 0 && html` aria-invalid="true"`}${required && html` required`}`;
  const control = choices
    ? html`<select id="${id}" name="${name}"${state}><option value=""></option>${choices.map(
        (choice) => html`<option${choice === value && html` selected`}>${choice}</option>`,
      )}</select>`
    : type === 'lines' || value.includes('\n')
      ? html`<textarea id="${id}" name="${name}" rows="4"${state}>
${value}</textarea>`
      : type === 'file'
        ? html`<input id="${id}" name="${name}" type="file"${accept && html` accept="${accept}"`}${state}>`
        : html`<input id="${id}" name="${name}" type="${type}"${type === 'datetime-local' && html` step="any"`} value="${related?.name ?? value}"${related ? html` list="${id}-names" autocomplete="off"` : mode && html` inputmode="${mode}"`}${state}>`;
  return html`<div class="field${stored !== undefined && ' differs'}">
<label for="${id}">${label}${required && html` <span class="required">(required)</span>`}</label>
${related ? choice(control, id, name, value, related) : control}
${bytes && present(id, name, label, bytes)}
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${stored !== undefined && storedValue(id, name, related?.storedName ?? stored)}
${errors.map((error, at) => html`<p class="error" id="${id}-error-${at}">${error}</p>`)}
</div>`;
}

/**
 * An input for the name of a related item, with suggestions and the items that the name can mean. If the items have no
 * names to find them by, it takes a number, and a link leads to their list.
 */
const choice = (
  control: Markup,
  id: string,
  name: string,
  value: string,
  { singular, list, name: item, names, candidates = [] }: RelatedInput,
): Markup => html`${control}
${names ? html`<datalist id="${id}-names">${names.map((one) => html`<option value="${one}">`)}</datalist>` : html`<p class="hint">The number of the ${singular}, from <a href="${list}" target="_blank" rel="noopener">the list</a></p>`}
${item !== undefined && html`<input type="hidden" name="${namedInput(name)}" value="${namedValue(value, item)}">`}
${candidates.length > 0 && candidateList(id, name, value, singular, candidates)}`;

/** The items that a name can mean. A person chooses one. */
const candidateList = (
  id: string,
  name: string,
  text: string,
  singular: string,
  candidates: readonly Candidate[],
): Markup => html`<fieldset><legend>Which ${singular}?</legend>
${candidates.map(
  (one) =>
    html`<p><label><input type="radio" id="${id}-${one.id}" name="${namedInput(name)}" value="${namedValue(one.id, text)}"> ${one.name} <small>${one.id}</small></label></p>`,
)}
</fieldset>`;

/** The stored value that differs from the one in the form, and a box that takes it. */
const storedValue = (id: string, name: string, stored: string): Markup =>
  html`<p class="hint" id="${id}-stored">${stored === '' ? 'It is empty now' : `It is now: ${stored}`}</p>
<label for="${id}-take"><input type="checkbox" id="${id}-take" name="${TAKE_INPUT}" value="${name}" aria-describedby="${id}-stored"> ${stored === '' ? 'Leave it empty' : 'Take this value'}</label>`;

/** The present bytes, and a box that removes them: it sends an empty text. */
const present = (id: string, name: string, label: string, bytes: ShownBinary): Markup =>
  html`<div class="present">${shownBytes(bytes, name, label)}
<label for="${id}-remove"><input type="checkbox" id="${id}-remove" name="${name}" value=""> Remove ${label}</label></div>`;

/** The properties that a form cannot carry. They stay unchanged. */
function fixed(document: PageDocument, place: Place): Markup | '' {
  const { members } = document;
  const description = requirePart(document.description);
  const names = Object.keys(members).filter(
    (name) =>
      !isServerField(description, name) &&
      (fieldOf(description, name)?.kind ?? 'any') === 'any' &&
      isFixed(members[name]) &&
      !isShownBinary(members[name], name),
  );
  if (names.length === 0) return '';
  return html`<h2>Not in this form</h2>
<p>The form cannot show them. They stay as they are.</p>
${memberList(names, document, place)}`;
}
