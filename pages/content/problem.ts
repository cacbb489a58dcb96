import { html } from 'hono/html';
import type { Fault } from '../../shared/http/problem.ts';
import type { Document, Place } from '../../shared/representations/representation.ts';
import type { LinkFact } from '../../shared/resource/link.ts';
import { breadcrumbsOf } from '../frame/breadcrumbs.ts';
import { linkList } from '../links.ts';
import { type Content, type Markup, sentence } from '../markup.ts';
import { placeOf, problemHint, type Traced } from '../problem-text.ts';
import { adviceOn, faultInWords, nameOfType, titleInWords } from '../words.ts';

interface Details extends Traced {
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly Fault[];
  readonly links?: readonly LinkFact[];
  /** The possible transitions or media types. */
  readonly allowed?: readonly string[];
  readonly available?: readonly string[];
}

/** Returns the page of a problem: its title, its causes, the link back, and the request id for the operators. */
export function problemContent({ members, problem }: Document, place: Place): Content {
  const details = members as unknown as Details;
  const { status, links = [] } = details;
  const { errors = [] } = problem ?? details;
  const title = titleInWords(nameOfType(details.type), details.title);
  const detail = problem ? adviceOn(problem, place.path) : details.detail;
  const lines = errors.map((error) => html`<li>${placeOf(error)} ${faultInWords(error)}</li>`);
  const breadcrumbs = breadcrumbsAbove(status, place);
  const others = details.allowed ?? details.available;
  const signIn = links.find(({ rel }) => rel === 'sign-in');
  const related = links.filter((link) => link !== signIn);
  const lead = problem?.missing ? 'Its earlier versions are still there:' : 'Perhaps you meant:';
  return {
    title,
    breadcrumbs,
    body: html`<p>${sentence(detail)}</p>
${lines.length > 0 && html`<ul>${lines}</ul>`}
${others && html`<p>Possible: ${others.join(', ')}</p>`}
${related.length > 0 && html`<p>${lead}</p>`}
${linkList(related, lead)}
<p class="actions">${signIn && html`<a class="button" href="${signIn.href}">${signIn.title}</a> `}${back(breadcrumbs, place)}</p>
${problemHint(details)}`,
  };
}

/**
 * Returns the pages above the path that the service refused, without a missing item and without a page that it refuses too.
 */
function breadcrumbsAbove(status: number, { path, basePath }: Place): Content['breadcrumbs'] {
  const [collection = '', id] = path.split('/').slice(1);
  const isItem = id !== undefined && id !== 'new' && status !== 404;
  const breadcrumbs = breadcrumbsOf(isItem ? [collection, id] : [collection], basePath);
  return status === 403
    ? breadcrumbs.filter(([, address]) => address.split('?')[0] !== basePath + path)
    : breadcrumbs;
}

/** Returns a button to the last page above, or to the home page. */
function back(breadcrumbs: Content['breadcrumbs'], { basePath }: Place): Markup {
  const [name, address] = breadcrumbs.at(-1) ?? ['Home', basePath || '/'];
  return html`<a class="button quiet" href="${address}">Back to ${name}</a>`;
}
