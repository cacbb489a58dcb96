import { html } from 'hono/html';
import { RELATED } from '#related';
import type { Document, Place } from '../../shared/representations/representation.ts';
import { hasScope } from '../../shared/resource/access/sight.ts';
import { newestList } from '../../shared/resource/list-template.ts';
import type { Counted, RelatedList } from '../../shared/resource/relation.ts';
import { ifUnavailable } from '../if-unavailable.ts';
import { labelOf, type Markup } from '../markup.ts';

/** The count stops here. */
const MAXIMUM_COUNT = 100;

/** What happens to one item and to several items that refer to a removed item. */
const CONSEQUENCES: Readonly<Record<RelatedList['onDelete'], readonly [string, string]>> = {
  keep: ['It stays and keeps the number.', 'They stay and keep the number.'],
  clear: ['It stays and loses the reference.', 'They stay and lose the reference.'],
  restrict: ['It forbids the deletion.', 'They forbid the deletion.'],
};

/** What refers to an item before its deletion. */
interface Referrers {
  readonly markup: Markup | '';
  /** True if an item that refers to it forbids the deletion. */
  readonly forbid: boolean;
}

/** Counts what refers to an item, as far as the caller may read it. `id`: the item. */
export async function referrersTo(
  { related }: Pick<Document, 'related'>,
  { collection, id }: { readonly collection: string; readonly id: number },
  place: Place,
): Promise<Referrers> {
  const lists = ((related && RELATED[collection]) ?? []).filter(({ name }) =>
    hasScope(place, `${name}:read`),
  );
  const counts = await Promise.all(
    lists.map((list) => related?.count(list, id, MAXIMUM_COUNT).catch(ifUnavailable(undefined))),
  );
  const lines = lists.map((list, at) => {
    const isOnly = lists.every((one) => one === list || one.name !== list.name);
    return lineOf(list, isOnly ? '' : ` (${labelOf(list.description, list.field)})`, id, counts[at], place);
  });
  return {
    markup: lines.length > 0 ? html`<ul>${lines}</ul>` : '',
    forbid: lists.some(({ onDelete }, at) => onDelete === 'restrict' && Number(counts[at]?.count) > 0),
  };
}

function lineOf(
  list: RelatedList,
  as: string,
  id: number,
  counted: Counted | undefined,
  { basePath }: Place,
): Markup {
  const { title, description, field, onDelete } = list;
  const items = title.toLowerCase();
  const address = basePath + newestList(list, [[field, String(id)]]);
  if (counted?.count === 0) return html`<li>No ${items} refer to it${as}.</li>`;
  const [ofOne, ofSeveral] = CONSEQUENCES[onDelete];
  if (counted?.count === 1)
    return html`<li><a href="${address}">1 ${description.singular}</a> refers to it${as}. ${ofOne}</li>`;
  const number = counted ? `${counted.isMore ? 'More than ' : ''}${counted.count}` : 'Some';
  return html`<li><a href="${address}">${number} ${items}</a> ${counted ? 'refer' : 'can refer'} to it${as}. ${ofSeveral}</li>`;
}
