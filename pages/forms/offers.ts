import type { Place } from '../../shared/representations/representation.ts';
import { ANYONE } from '../../shared/resource/access/owner.ts';
import { hasScope, type Reader } from '../../shared/resource/access/sight.ts';
import type { Item } from '../../shared/resource/item.ts';
import { type FoundItems, type Relation, titleField } from '../../shared/resource/relation.ts';
import { ifUnavailable } from '../if-unavailable.ts';
import { requirePart } from '../markup.ts';
import { nameOfItem } from '../names/item-name.ts';
import type { PageDocument } from '../page-document.ts';
import { meantIds, writtenName } from './named-input.ts';

/** How many names an input offers. */
const MAXIMUM_OFFERED = 50;

/** An item of which a person chooses one. */
export interface Candidate {
  readonly id: number | string;
  readonly name: string;
}

/** What an input for a related item offers. */
export interface Offered {
  /** The first names of the related items, for a list of suggestions. */
  readonly names: readonly string[];
  /** The items that the name in the input can mean; empty if it means one item or none. */
  readonly candidates: readonly Candidate[];
}

/** What the inputs for related items offer, by the names of their fields. */
export type Offers = ReadonlyMap<string, Offered>;

export const NO_OFFERS: Offers = new Map();

/** Reads what the inputs of a form offer. If the storage does not respond, they offer nothing. */
export async function offersFor({ form, description }: PageDocument, place: Place): Promise<Offers> {
  const { sent = new Map(), relations: inputs = place.resource?.relations ?? {} } = requirePart(form);
  const { fields } = requirePart(description);
  const relations = Object.values(inputs).filter(
    ({ field, find, to }) => find && fields[field] && hasScope(place, `${to.name}:read`),
  );
  const offered = await Promise.all(
    relations.map(async (relation): Promise<[string, Offered][]> => {
      const text = meantIds(sent, relation.field) === undefined ? writtenName(sent, relation.field) : '';
      const reading = Promise.all([
        namesOf(relation, place),
        text === '' ? [] : candidatesFor(relation, text, place),
      ]);
      const [names, candidates] = await reading.catch(ifUnavailable<[string[], Candidate[]]>([[], []]));
      return [[relation.field, { names, candidates }]];
    }),
  );
  return new Map(offered.flat());
}

/** Returns the first names of the items of a relation. */
async function namesOf({ to, find }: Relation, { principal }: Place): Promise<string[]> {
  const found = (await find?.(to, '', principal ?? ANYONE, MAXIMUM_OFFERED))?.items ?? [];
  const field = titleField(to) ?? '';
  const named = found.filter(({ values }) => String(values[field]).trim() !== '');
  return [...new Set(named.map((item) => nameOfItem(to.description, item)))];
}

/** Returns the items that a name can mean, if they are several. */
async function candidatesFor(relation: Relation, text: string, place: Place): Promise<Candidate[]> {
  const { items, isMore } = (await itemsNamed(relation, text, place)) ?? { items: [], isMore: false };
  return items.length < 2 && !isMore ? [] : items.map((item) => candidateOf(relation, item));
}

const candidateOf = ({ to }: Relation, item: Item): Candidate => ({
  id: item.id,
  name: nameOfItem(to.description, item),
});

/** How many items of one name a person can choose from. */
const MAXIMUM_NAMESAKES = 20;

/**
 * Returns the items that a name can mean: the only one with exactly this title, otherwise those whose titles begin with
 * it, and at most `MAXIMUM_NAMESAKES`. Undefined if the items cannot be found by their titles.
 *
 * @throws Unavailable if the storage does not respond
 */
export async function itemsNamed(
  { to, find }: Relation,
  name: string,
  { principal }: Reader,
): Promise<FoundItems | undefined> {
  const field = titleField(to);
  if (!find || field === undefined) return undefined;
  // A title that is too long for an input ends with an ellipsis.
  const beginning = name.replace(/…$/, '');
  const found = await find(to, beginning, principal ?? ANYONE, MAXIMUM_NAMESAKES);
  const same = found?.items.filter(
    ({ values }) => String(values[field]).trim().toLowerCase() === name.toLowerCase(),
  );
  return same?.length === 1 ? { items: same, isMore: false } : found;
}
