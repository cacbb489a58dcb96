import { html } from 'hono/html';
import { EFFECT_PARAMETER } from '../../representations/forms/form.ts';
import type { Place } from '../../representations/representation.ts';
import { capitalize, type Markup } from '../markup.ts';

/** What the form before the page did to an item, by the value of the query parameter. */
const EFFECTS: ReadonlyMap<string, string> = new Map(
  ['created', 'saved', 'deleted', 'canceled'].map((name) => [name, `is ${name}`]),
);

/**
 * The message that the previous form succeeded. It consists of words of the service alone. An unknown value in the
 * address shows no message.
 *
 * Source: WAI-ARIA 1.2, `status`; Specification 6.6.
 */
export function effect({ query, resource }: Pick<Place, 'query' | 'resource'>): Markup | '' {
  const name = query.get(EFFECT_PARAMETER)?.[0];
  const text = name === undefined || !resource?.description ? undefined : textOf(name, resource);
  return text === undefined ? '' : html`<p class="effect" role="status" tabindex="-1" autofocus>${text}</p>`;
}

function textOf(name: string, { description, routes }: NonNullable<Place['resource']>): string | undefined {
  if (name === 'stored') return 'All are stored.';
  const singular = description?.singular ?? '';
  const done = EFFECTS.get(name);
  if (done !== undefined) return `The ${singular} ${done}.`;
  const action = routes
    .map(({ endpoints: { POST } }) => POST)
    .find((one) => (one?.form === 'transition' || one?.form === 'action') && one.id === name);
  return action && `${action.summary ?? `${capitalize(name)} ${singular}`}: done.`;
}
