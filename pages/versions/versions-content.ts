import { html } from 'hono/html';
import { decodeSegment } from '../../shared/http/paths.ts';
import type { Document, Place } from '../../shared/representations/representation.ts';
import { mayWrite } from '../frame/person.ts';
import { wayAbout } from '../frame/way.ts';
import { linksOf, quietButton } from '../links.ts';
import { pager } from '../lists/pager.ts';
import { type Content, labelOf, requirePart } from '../markup.ts';
import { nameAbout, nameInSentence } from '../names/item-name.ts';
import { showValue, sizeText } from '../value.ts';

interface Entry {
  /** A number; of a file a text. */
  readonly version: number | string;
  readonly href?: string;
  readonly change: string;
  readonly changed?: readonly string[];
  readonly size?: number;
  readonly time: string;
  readonly by?: string;
}

/** The page with the history of an item: its versions, newest first, each with a button that restores it. */
export function versionsContent(document: Document, place: Place): Content {
  const { members } = document;
  const resource = requirePart(place.resource);
  const [, , id = ''] = place.path.split('/');
  // A file has no other name.
  const name = document.about
    ? nameAbout(document, nameInSentence)
    : `${requirePart(resource.description).singular} ${decodeSegment(id)}`;
  const { items: entries } = members as unknown as { readonly items: readonly Entry[] };
  const isPresent = (at: number) => at === 0 && !place.query.has('after');
  const isWriter = mayWrite(resource, place);
  const shortOf = ({ version }: Entry) => (typeof version === 'number' ? version : version.slice(0, 8));
  const hasSizes = entries.some(({ size }) => size !== undefined);
  const changedIn = ({ changed = [], size }: Entry) =>
    size === undefined
      ? changed.map((name) => labelOf(requirePart(resource.description), name)).join(', ')
      : sizeText(size);
  const hasAuthors = entries.some(({ by }) => by !== undefined);
  return {
    title: `History of ${name}`,
    way: wayAbout(document, place).slice(0, entries[0]?.change === 'removed' ? 1 : 2),
    body: html`<div class="scroll" role="region" aria-label="History" tabindex="0"><table>
<thead><tr><th scope="col">Version</th><th scope="col">Change</th><th scope="col">${hasSizes ? 'Size' : 'Changed'}</th>${hasAuthors && html`<th scope="col">By</th>`}<th scope="col">When</th>${isWriter && html`<th scope="col">Restore</th>`}</tr></thead>
<tbody>
${entries.map(
  (one, at) =>
    html`<tr><th scope="row">${one.href === undefined ? shortOf(one) : html`<a href="${one.href}">${shortOf(one)}</a>`}</th><td>${one.change}</td><td>${changedIn(one)}</td>${hasAuthors && html`<td>${one.by ?? ''}</td>`}<td>${showValue(one.time)}</td>${isWriter && html`<td>${one.href !== undefined && !isPresent(at) && quietButton(`${one.href}/restore`, 'Restore', place)}</td>`}</tr>`,
)}
</tbody></table></div>
${pager(linksOf(members))}`,
  };
}
