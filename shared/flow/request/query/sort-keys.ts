import type { Fault } from '../../../http/problem.ts';
import { otherSpellingOf, type Request } from '../../../http/request.ts';
import { sightOf } from '../../../resource/access/sight.ts';
import { type Description, type Fields, isOpenName } from '../../../resource/description/description.ts';
import { visibleScalars } from '../../../resource/lists/filter.ts';
import type { SortKey } from '../../../resource/lists/page.ts';
import { atReadingAdvice } from './filters.ts';

const MAXIMUM_KEYS = 8;
const SPELLING = /^([-+ ]?)([^:]*)(?::(asc|desc))?$/;

/**
 * Reads the sort order of a list. `fallback`: the key of the sort order if the client names none. The parameter `order` is
 * the direction of keys without one. `strict`: no key is an undeclared property. Adds every fault to `faults`.
 *
 * Source: Specification 4.6, 4.10, 4.11.
 */
export function readSortOrder(
  description: Description,
  request: Pick<Request, 'query' | 'principal'>,
  { fallback, strict }: { readonly fallback: string; readonly strict: boolean },
  faults: Fault[],
): readonly SortKey[] {
  const { query } = request;
  const direction = query.get('order')?.[0] ?? 'asc';
  if (direction !== 'asc' && direction !== 'desc')
    faults.push({ parameter: 'order', detail: 'must be asc or desc' });
  const written = query.get('sort')?.flatMap((text) => text.split(',')) ?? [fallback];
  if (written.length > MAXIMUM_KEYS) {
    faults.push({ parameter: 'sort', detail: `must have at most ${MAXIMUM_KEYS} keys` });
    return [];
  }
  const sight = sightOf(description, request);
  const accepted = visibleScalars(sight);
  const keys: SortKey[] = [];
  for (const text of written) {
    const [, sign = '', name = '', suffix] = SPELLING.exec(text) ?? [];
    const field = name === 'id' ? description.identifier.name : name;
    const meant = otherSpellingOf(field, Object.keys(accepted));
    const isKey = !meant && (Object.hasOwn(accepted, field) || (!strict && isOpenName(description, field)));
    if (!isKey || (sign !== '' && suffix)) {
      const { atReading } = sight.description.fields[field] ?? {};
      const remedy = meant ? `use ${meant}` : advice(accepted, description.open && !strict);
      const why = atReading ? atReadingAdvice(atReading, sight) : `is not a sort key: ${remedy}`;
      faults.push({ parameter: 'sort', detail: `'${text.slice(0, 64)}' ${why}` });
      continue;
    }
    const descending = sign === '' ? (suffix ?? direction) === 'desc' : sign === '-';
    keys.push({ field, descending });
  }
  return canonical(description, keys);
}

const advice = (accepted: Fields, open: boolean): string =>
  `use ${Object.keys(accepted).join(', ')}${open ? ' or an undeclared property' : ''}, ` +
  'with - or :desc for descending order';

/**
 * The keys that have an effect: no repeated key, and no key after the identifier. Integer identifiers have the order of
 * creation, so the identifier replaces `createdAt`. It is left out as the last key if the key before it has the same
 * direction, because the identifier orders equal values in any case.
 */
function canonical({ identifier }: Description, keys: readonly SortKey[]): SortKey[] {
  const { name, kind } = identifier;
  const found: SortKey[] = [];
  for (const key of keys) {
    const field = key.field === 'createdAt' && kind === 'integer' ? name : key.field;
    if (found.some((one) => one.field === field)) continue;
    found.push({ ...key, field });
    if (field === name) break;
  }
  const [last, before] = [found.at(-1), found.at(-2)];
  if (last?.field === name && before?.descending === last.descending) found.pop();
  return found;
}
