import { html } from 'hono/html';
import type { Fault } from '../http/problem.ts';
import { type Markup, sentence } from './markup.ts';

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

/** A problem in a sentence, then the places of its errors. */
export function problemText({ title, detail = title, errors = [] }: ShownProblem): Markup {
  const lines = errors
    .map((error) => [
      placeOf(error.pointer ?? error.parameter ?? error.header ?? ''),
      error.detail === detail ? '' : error.detail,
    ])
    .map((parts) => parts.filter(Boolean).join(': '))
    .filter(Boolean)
    .map((text) => html`<li>${text}</li>`);
  return html`${sentence(detail)}${lines.length > 0 && html`<ul>${lines}</ul>`}`;
}

/** The status of a problem, its request, and a link to the page of its type. Operators ask for them. */
export const problemHint = ({ status, requestId, type }: Traced): Markup =>
  html`<p class="hint">Status ${status}, request ${requestId}. <a href="${type}">What this means</a></p>`;

/** A place in a file of items for people: `/3/name` is the property `name` of the fourth item. */
export const placeOf = (pointer: string): string =>
  pointer.replace(/^\/(\d+)(?:\/(.*))?$/, (_, at: string, name?: string) =>
    name ? `Item ${Number(at) + 1}, ${name}` : `Item ${Number(at) + 1}`,
  );
