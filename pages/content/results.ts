import { html } from 'hono/html';
import type { Place } from '../../shared/representations/representation.ts';
import { capitalize } from '../../shared/resource/description/fields.ts';
import type { ResourceFacts } from '../../shared/resource/facts.ts';
import { descriptionOf } from '../../shared/resource/resource.ts';
import { effectText } from '../frame/effect.ts';
import { rowsForm, undo } from '../lists/ticked-rows.ts';
import { type Content, listOf, requirePart, sentence } from '../markup.ts';
import { idOf, nameOf } from '../names/item-name.ts';
import type { PageDocument, Ticked } from '../page-document.ts';
import { rowValue } from '../page-inputs.ts';
import { adviceOn, nameOfType, titleInWords } from '../words.ts';

interface Result {
  readonly status: number;
  readonly href: string;
  readonly problem?: { readonly type: string; readonly title: string; readonly detail: string };
}

/** Returns the page of the results of a request with several items, in its order. */
export function resultsContent({ members, ticked }: PageDocument, place: Place): Content {
  const resource = requirePart(place.resource);
  if (ticked) return tickedContent(ticked, resource, place);
  const results = members.items as readonly Result[];
  const failed = results.filter(({ problem }) => problem).length;
  return {
    title: failed === 0 ? 'All succeeded' : `${failed} of ${results.length} failed`,
    breadcrumbs: [listOf(resource, place)],
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

/** The rows that the service refused, by their names, and the button that asks again for those that have changed. */
function tickedContent(
  { results, action, wanted, effect, found, undo: deleted }: Ticked,
  resource: ResourceFacts,
  place: Place,
): Content {
  const description = descriptionOf(resource);
  const { items, expansions, versions } = typeof found === 'object' ? found : { items: [] };
  const present = new Map(
    items.map((item, at) => [
      String(idOf(description, item)),
      { name: nameOf(description, item, expansions), version: versions?.[at] },
    ]),
  );
  const refused = results.filter(({ problem }) => problem);
  const changed = refused.filter(({ problem }) => problem?.name === 'precondition-failed');
  const done = effectText(effect, resource)?.replace(/^The /, 'The other ');
  const kind = (count: number) => (count === 1 ? description.singular : resource.title.toLowerCase());
  return {
    title: `${refused.length} of ${results.length} ${kind(results.length)} ${refused.length === 1 ? 'is' : 'are'} unchanged`,
    breadcrumbs: [listOf(resource, place)],
    body: html`${done && html`<div class="effect">${done} ${deleted.length > 0 && undo(deleted, place)}</div>`}
<ul>${refused.map(
      ({ id, href, problem }) =>
        html`<li><a href="${href}">${present.get(id)?.name ?? id}</a>: ${problem && `${titleInWords(problem.name, '')}. ${sentence(adviceOn(problem, href))}`}</li>`,
    )}</ul>
${
  changed.length > 0 &&
  rowsForm(
    changed.map(({ id }) => rowValue(id, present.get(id)?.version)),
    {
      wanted,
      label: `${capitalize(wanted)} ${changed.length} ${kind(changed.length)} that changed`,
      look: wanted === 'delete' ? 'danger' : '',
    },
    place,
  )
}
<p><a href="${action}">Back to the list</a></p>`,
  };
}
