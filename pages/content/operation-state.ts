import { html } from 'hono/html';
import type { Document } from '../../shared/representations/representation.ts';
import { nameAt } from '../frame/breadcrumbs.ts';
import { linksOf } from '../links.ts';
import { type Markup, sentence } from '../markup.ts';
import { problemHint, problemText, type ShownProblem, type Traced } from '../problem-text.ts';
import { detailInWords, nameOfType, titleInWords } from '../words.ts';

/** The states of an operation in words. A new status has none. Source: Specification 7.6. */
const STATES: ReadonlyMap<unknown, string> = new Map([
  ['NotStarted', 'The work has not started yet.'],
  ['Running', 'The work is in progress.'],
  ['Canceling', 'The work stops soon.'],
  ['Succeeded', 'The work is complete.'],
  ['Failed', 'The work has failed.'],
  ['Canceled', 'The work is canceled.'],
]);

/** Past participles of the actions that work on several items. */
const EFFECTS: Readonly<Record<string, string>> = {
  create: 'created',
  replace: 'saved',
  remove: 'deleted',
};

const REFRESHES = 'This page refreshes automatically until the work is complete.';
/** A refresh would lose the links of the response to the announcement. */
const LINKS_ONCE = 'Only this page shows the links of the uploads.';

/** The properties that the state shows. */
export const IN_STATE: readonly string[] = ['kind', 'progress', 'percentComplete', 'result', 'error'];

/**
 * Returns the state of an operation for people: a sentence, its progress while it runs, a link to its result, and the
 * problems of what failed.
 */
export function operationState({ members }: Document): Markup {
  const { status, percentComplete, uploads } = members;
  const error = members.error as (ShownProblem & Traced) | undefined;
  const result = linksOf(members).find(({ rel }) => rel === 'result');
  const pending = !['Succeeded', 'Failed', 'Canceled'].includes(String(status));
  return html`<div class="panel" role="status">
<p><strong>${STATES.get(status) ?? status}</strong> ${progressOf(members)}</p>
${percentComplete !== undefined && html`<p><progress aria-label="Progress" max="100" value="${percentComplete}">${percentComplete} %</progress> ${percentComplete} %</p>`}
${pending && html`<p class="hint">${uploads === undefined ? REFRESHES : LINKS_ONCE}</p>`}
${result && html`<p><a class="button" href="${result.href}">Result: ${effectOf(members)} →</a></p>`}
</div>
${error && html`<h2>${titleInWords(nameOfType(error.type), error.title)}</h2><div>${inWords(error)}</div>${problemHint(error)}`}
${failuresOf(members)}
${undoneBy(members)}`;
}

/** Returns the cause of a failure: in words for people, if the detail is about the service and not about an item. */
const inWords = (problem: ShownProblem & Pick<Traced, 'type'>): Markup =>
  problemText({ ...problem, detail: detailInWords(nameOfType(problem.type), problem.detail) });

/** Returns the problems of the items that failed. An operation has the first of them only. */
function failuresOf({ result, progress }: Document['members']): Markup | '' {
  const { failures = [] } = (result ?? {}) as {
    readonly failures?: readonly { problem: ShownProblem & Pick<Traced, 'type'> }[];
  };
  if (failures.length === 0) return '';
  const { failed } = (progress ?? {}) as Readonly<Record<string, unknown>>;
  const more = Number(failed) > failures.length;
  return html`<h2>${more ? `The first ${failures.length} failures` : 'Failures'}</h2>
<ul>${failures.map(({ problem }) => html`<li>${inWords(problem)}</li>`)}</ul>`;
}

/** What an undo did to items. Source: Specification 17.9. */
interface Undone {
  readonly restored: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly skipped: readonly { readonly resource: string; readonly id?: number; readonly reason: string }[];
}

const isUndone = (result: unknown): result is Undone =>
  typeof result === 'object' && result !== null && 'restored' in result && 'skipped' in result;

/** Returns what an undo did, and the items that stay as they are, each with the reason; empty for other operations. */
function undoneBy({ result }: Document['members']): Markup | '' {
  if (!isUndone(result)) return '';
  const { restored, removed, unchanged, skipped } = result;
  return html`<p>${numbered(restored)} as before, ${numbered(removed)} removed, ${numbered(unchanged)} had no change left.</p>
${
  skipped.length > 0 &&
  html`<h2>Left as they are</h2>
<ul>${skipped.map(({ resource, id, reason }) => html`<li>${id === undefined ? resource : nameAt(`/${resource}/${id}`)}: ${sentence(reason)}</li>`)}</ul>`
}`;
}

const numbered = (value: unknown): string => Number(value).toLocaleString('en');

/** Returns how many items the operation has processed, such as `420 of 1,000 done, 2 failed`. */
function progressOf({ progress }: Document['members']): string {
  const { done, total, failed } = (progress ?? {}) as Readonly<Record<string, unknown>>;
  if (done === undefined) return '';
  const of = total === undefined ? '' : ` of ${numbered(total)}`;
  return `${numbered(done)}${of} done${Number(failed) > 0 ? `, ${numbered(failed)} failed` : ''}.`;
}

/** Returns what the operation did, such as `9,000 created`. */
function effectOf({ kind, progress }: Document['members']): string {
  const [, action = ''] = String(kind).split('.');
  const effect = EFFECTS[action.replace(/All$/, '')] ?? 'done';
  const { done } = (progress ?? {}) as Readonly<Record<string, unknown>>;
  return done === undefined ? effect : `${numbered(done)} ${effect}`;
}
