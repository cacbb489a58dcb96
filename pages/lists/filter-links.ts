import { html } from 'hono/html';
import type { Place } from '../../shared/representations/representation.ts';
import { sightOf } from '../../shared/resource/access/sight.ts';
import { descriptionOf } from '../../shared/resource/description/described.ts';
import type { ResourceFacts } from '../../shared/resource/facts.ts';
import { visibleScalars } from '../../shared/resource/lists/filter.ts';
import { namedInput } from '../forms/named-input.ts';
import { capitalize, labelOf, type Markup } from '../markup.ts';
import { choiceInWords } from '../words.ts';
import { search } from './list-controls.ts';
import type { NamedFilter } from './named-filters.ts';
import { filtersInEffect, wordsOf } from './offered-filters.ts';

/** The states of a process, or other choices of a field, that a list shows as links: at most this number. */
const MOST_STATES = 8;

/** Links that filter by the first field with a few choices, such as the state of an order. */
export function states(resource: ResourceFacts, place: Place): Markup | '' {
  const description = descriptionOf(resource);
  const [name, choices] =
    Object.entries(visibleScalars(sightOf(description, place)))
      .map(([one, field]) => [one, field.kind === 'text' ? (field.choices ?? []) : []] as const)
      .find(([, all]) => all.length > 1 && all.length <= MOST_STATES) ?? [];
  if (name === undefined || !choices) return '';
  const present = place.query.get(name)?.join(',') ?? '';
  return html`<nav class="states" aria-label="${labelOf(description, name)}"><ul class="links">
${['', ...choices].map(
  (choice) =>
    html`<li><a href="${search(place, [name], choice === '' ? [] : [[name, choice]])}"${choice === present && html` aria-current="true"`}>${choice === '' ? 'All' : capitalize(choiceInWords(choice))}</a></li>`,
)}
</ul></nav>`;
}

/** The filters in effect. Each is a link to the list without it. */
export function chips(
  resource: ResourceFacts,
  place: Place,
  named: ReadonlyMap<string, NamedFilter>,
): Markup | '' {
  const filters = filtersInEffect(resource, place);
  if (filters.length === 0) return '';
  const description = descriptionOf(resource);
  return html`<ul class="links chips" aria-label="Filters">
${filters.map(({ parameter, values, name, field, operator }) => {
  const text = `${labelOf(description, name)}${wordsOf(operator, field)} ${named.get(parameter)?.text ?? values.join(', ')}`;
  return html`<li><a href="${search(place, [parameter, namedInput(parameter)])}"><span class="hidden">Remove the filter </span>${text}</a></li>`;
})}
${filters.length > 1 && html`<li><a href="${place.basePath}${place.path}">Show all</a></li>`}
</ul>`;
}
