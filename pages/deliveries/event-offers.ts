import { EVENT_SOURCES, NAVIGATION } from '#service';
import type { Place } from '../../shared/representations/representation.ts';
import { hasScope } from '../../shared/resource/access/sight.ts';
import { capitalize } from '../../shared/resource/description/fields.ts';
import type { InputLooks } from '../forms/input-looks.ts';

/**
 * Returns what an input of the form of a subscription offers: the collections and the events that the person may read,
 * and its present value. Other inputs get nothing.
 *
 * Source: Specification 18.12.
 */
export function eventOffers(
  name: string,
  value: string,
  place: Place,
): Pick<InputLooks, 'choices' | 'groups' | 'hint'> {
  if (place.resource?.name !== 'subscriptions') return {};
  const sources = EVENT_SOURCES.filter(({ scope }) => scope === undefined || hasScope(place, scope));
  const collections = sources.map(({ collection }) => collection);
  if (name === 'resource') return { choices: [...new Set([...collections, ...(value ? [value] : [])])] };
  if (name !== 'types') return {};
  const titleOf = (collection: string): string =>
    NAVIGATION.collections.find(({ path }) => path === `/${collection}`)?.title ?? capitalize(collection);
  const offered = [
    ...(sources.length === EVENT_SOURCES.length ? [['Everything', ['*']] as const] : []),
    ...sources.map(({ collection, types }) => [titleOf(collection), types] as const),
  ];
  const others = value.split('\n').filter((one) => one && !offered.some(([, types]) => types.includes(one)));
  const groups = others.length > 0 ? [...offered, ['Others', others] as const] : offered;
  return { groups, hint: 'The service posts these events to the URL.' };
}
