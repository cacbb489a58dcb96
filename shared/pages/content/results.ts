import { html } from 'hono/html';
import type { Document, Place } from '../../representations/representation.ts';
import { type Content, listOf, requirePart } from '../markup.ts';
import { nameOfType, titleInWords } from '../words.ts';

interface Result {
  readonly status: number;
  readonly href: string;
  readonly problem?: { readonly type: string; readonly title: string; readonly detail: string };
}

/** The page of the results of a request with several items, in its order. */
export function resultsContent({ members }: Document, place: Place): Content {
  const results = members.items as readonly Result[];
  const failed = results.filter(({ problem }) => problem).length;
  return {
    title: failed === 0 ? 'All succeeded' : `${failed} of ${results.length} failed`,
    way: [listOf(requirePart(place.resource), place)],
    body: html`<ol>${results.map(
      ({ status, href, problem }) =>
        html`<li><a href="${href}">${decodeURIComponent(href.slice(href.lastIndexOf('/') + 1))}</a>: ${
          problem
            ? `${titleInWords(nameOfType(problem.type), problem.title)}. ${problem.detail}`
            : status === 201
              ? 'created'
              : 'done'
        }</li>`,
    )}</ol>`,
  };
}
