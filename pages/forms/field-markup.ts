import { html } from 'hono/html';
import { TAKE_INPUT } from '../../shared/representations/forms/inputs.ts';
import type { ShownBinary } from '../../shared/resource/binary.ts';
import type { Markup } from '../markup.ts';
import { shownBytes } from '../shown-value.ts';
import type { Input, RelatedInput } from './inputs.ts';
import { namedInput, namedValue } from './named-input.ts';
import type { Candidate } from './offers.ts';

/** Returns an input of a form with its label, its hint, its messages, and the stored value if the input has another one. */
export function fieldMarkup({
  id,
  name,
  label,
  value,
  stored,
  required,
  type,
  mode,
  choices,
  groups,
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
        : html`<input id="${id}" name="${name}" type="${type}"${type === 'datetime-local' && html` step="any"`} value="${related?.name ?? value}"${related ? html` list="${id}-names" autocomplete="off"${related.names && html` placeholder="Type a name"`}` : mode && html` inputmode="${mode}"`}${state}>`;
  const caption = html`${label}${required && html` <span class="required">(required)</span>`}`;
  return html`<div class="field${stored !== undefined && ' differs'}">
${groups ? tickedGroups(groups, { id, name, value, described }, caption) : html`<label for="${id}">${caption}</label>`}
${groups ? '' : related ? choice(control, id, name, value, related) : control}
${bytes && present(id, name, label, bytes)}
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${stored !== undefined && storedValue(id, name, related?.storedName ?? stored)}
${errors.map((error, at) => html`<p class="error" id="${id}-error-${at}">${error}</p>`)}
</div>`;
}

/** Returns the boxes of an input with several values. The empty input says that the form has it, if all are unticked. */
const tickedGroups = (
  groups: NonNullable<Input['groups']>,
  { id, name, value, described }: Pick<Input, 'id' | 'name' | 'value'> & { readonly described: string },
  caption: Markup,
): Markup => {
  const ticked = value.split('\n');
  return html`<fieldset id="${id}"${described && html` aria-describedby="${described}"`}><legend>${caption}</legend>
<input type="hidden" name="${name}" value="">
${groups.map(
  ([title, values]) =>
    html`<div role="group" aria-label="${title}"><span>${title}</span>${values.map(
      (one) =>
        html`<label><input type="checkbox" name="${name}" value="${one}"${ticked.includes(one) && html` checked`}> ${one.endsWith('*') ? 'all' : one.slice(one.indexOf('.') + 1)}</label>`,
    )}</div>`,
)}
</fieldset>`;
};

/**
 * Returns an input for the name of a related item, with suggestions and the items that the name can mean. If the items
 * have no names to find them by, it takes a number, and a link leads to their list.
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

/** Returns the items that a name can mean. A person chooses one. */
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

/** Returns the stored value that differs from the one in the form, and a box that takes it. */
const storedValue = (id: string, name: string, stored: string): Markup =>
  html`<p class="hint" id="${id}-stored">${stored === '' ? 'It is empty now' : `It is now: ${stored}`}</p>
<label for="${id}-take"><input type="checkbox" id="${id}-take" name="${TAKE_INPUT}" value="${name}" aria-describedby="${id}-stored"> ${stored === '' ? 'Leave it empty' : 'Take this value'}</label>`;

/** Returns the current bytes, and a box that removes them: it sends an empty text. */
const present = (id: string, name: string, label: string, bytes: ShownBinary): Markup =>
  html`<div class="present">${shownBytes(bytes, name, label)}
<label for="${id}-remove"><input type="checkbox" id="${id}-remove" name="${name}" value=""> Remove ${label}</label></div>`;
