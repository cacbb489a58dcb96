import { html } from 'hono/html';
import type { Fault } from '../shared/http/problem.ts';
import { arrayIndex, parsePointer } from '../shared/json/pointer.ts';
import { type Markup, sentence } from './markup.ts';
import { OWN_INPUTS } from './page-inputs.ts';

/** A problem that is a part of a page. */
export interface ShownProblem {
  readonly title: string;
  readonly detail?: string;
  readonly errors?: readonly Fault[];
}

/** The origin of a problem. */
export interface Traced {
  readonly status: number;
  readonly type: string;
  readonly requestId: string;
}

/** Returns a problem in a sentence, then the places of its errors. */
export function problemText({ title, detail = title, errors = [] }: ShownProblem): Markup {
  const lines = errors
    .map((error) => [placeOf(error), error.detail === detail ? '' : error.detail])
    .map((parts) => parts.filter(Boolean).join(': '))
    .filter(Boolean)
    .map((text) => html`<li>${text}</li>`);
  return html`${sentence(detail)}${lines.length > 0 && html`<ul>${lines}</ul>`}`;
}

/** Returns the status of a problem, its request, and a link to the page of its type. Operators ask for them. */
export const problemHint = ({ status, requestId, type }: Traced): Markup =>
  html`<p class="hint">Status ${status}, request ${requestId}. <a href="${type}">What this means</a></p>`;

const OWN_LABELS: ReadonlyMap<string, string> = new Map(Object.entries(OWN_INPUTS));

/**
 * Returns the place of an error for people: `/3/name` is the property `name` of the fourth item. `labelled`: the label
 * of a property of the item. `lines`: the lines of the items, if they are from a table.
 */
export function placeOf(
  { pointer, parameter, header }: Fault,
  labelled: (name: string) => string = (name) => name,
  lines: readonly number[] = [],
): string {
  const tokens = pointer === undefined ? undefined : parsePointer(pointer);
  if (!tokens) return pointer ?? parameter ?? header ?? '';
  const names = tokens.map((token, at) => {
    const index = arrayIndex(token);
    const line = at === 0 && index !== undefined ? lines[index] : undefined;
    if (line !== undefined) return `Line ${line}`;
    if (index !== undefined) return `${at === 0 ? 'Item' : 'item'} ${index + 1}`;
    return at === 0 ? (OWN_LABELS.get(token) ?? labelled(token)) : token;
  });
  return names.join(', ');
}
