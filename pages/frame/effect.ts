import { html } from 'hono/html';
import type { Place } from '../../shared/representations/representation.ts';
import { capitalize } from '../../shared/resource/description/fields.ts';
import { restores } from '../../shared/resource/route.ts';
import { undo } from '../lists/ticked-rows.ts';
import type { Markup } from '../markup.ts';
import { EFFECT_PARAMETER, MADE_PARAMETER, rowsIn } from '../page-inputs.ts';

/** What the form before the page did to an item, by the value of the query parameter. */
const EFFECTS: readonly string[] = ['created', 'saved', 'deleted', 'restored', 'canceled'];

/**
 * Returns the message that the previous form succeeded. It consists of words of the service alone. An unknown value in
 * the address shows no message.
 *
 * Source: WAI-ARIA 1.2, `status`; Specification 6.6.
 */
export function effect(place: Place): Markup | '' {
  const { query, resource, path, basePath } = place;
  const name = query.get(EFFECT_PARAMETER)?.[0];
  const made = /^\d{1,16}$/.exec(query.get(MADE_PARAMETER)?.[0] ?? '')?.[0];
  const text = name === undefined || !resource?.description ? undefined : effectText(name, resource, made);
  if (text === undefined) return '';
  const link =
    made !== undefined &&
    path === `/${resource?.name}/new` &&
    html` <a href="${basePath}/${resource?.name}/${made}">Show it</a>`;
  const rows = /^deleted\b/.test(name ?? '') ? rowsIn(query.get(MADE_PARAMETER)?.[0] ?? '') : [];
  return rows.length > 0 && resource && restores(resource)
    ? html`<div class="effect" role="status" tabindex="-1" autofocus>${text} ${undo(rows, place)}</div>`
    : html`<p class="effect" role="status" tabindex="-1" autofocus>${text}${link}</p>`;
}

/** An effect on several items, such as `deleted.3`. */
const SEVERAL = /^([\w-]+)\.([1-9]\d{0,3})$/;

/** Returns the effect of a form in a sentence; undefined: the service has no such effect. `made`: how many items it made. */
export function effectText(
  name: string,
  resource: NonNullable<Place['resource']>,
  made?: string,
): string | undefined {
  const { title, description, process, routes } = resource;
  const [, one, count] = SEVERAL.exec(name) ?? [];
  if (one !== undefined && Number(count) > 1) {
    const items = `${count} ${title.toLowerCase()}`;
    const state = process?.transitions[one]?.to;
    return state ? `${items} are now ${state}.` : EFFECTS.includes(one) ? `${items} are ${one}.` : undefined;
  }
  if (one !== undefined) return effectText(one, resource);
  if (name === 'stored')
    return made === '1'
      ? `The ${description?.singular} is stored.`
      : `${made ?? 'All'} ${title.toLowerCase()} are stored.`;
  const state = process?.transitions[name]?.to;
  if (state !== undefined) return `The ${description?.singular} is now ${state}.`;
  const singular = description?.singular ?? '';
  if (EFFECTS.includes(name)) return `The ${singular} is ${name}.`;
  const action = routes
    .map(({ endpoints: { POST } }) => POST)
    .find((one) => (one?.form === 'transition' || one?.form === 'action') && one.id === name);
  return action && `“${action.summary ?? `${capitalize(name)} ${singular}`}” is done.`;
}
