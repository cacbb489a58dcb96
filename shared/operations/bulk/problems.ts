import { type Problem, problem } from '../../http/problem.ts';
import { forbiddenElements } from '../../resource/access/forbidden-fields.ts';
import { type Outcome, refused } from '../../resource/actions/outcome.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import { problemOfElement, type SentItem } from '../../resource/sent.ts';
import type { TableReference } from '../../store/items/references.ts';
import type { Failure } from './steps.ts';

/** The parent of nested items. `name`: one parent, such as `customer`. `field`: holds its identifier. */
export interface ParentFacts {
  readonly name: string;
  readonly field: string;
  readonly table: TableReference;
}

/** The parent of the items of a bulk request, whose identifier is `value`. undefined: all items of the resource. */
export type Within = (Pick<ParentFacts, 'name' | 'field'> & { readonly value: number }) | undefined;

/**
 * Returns the problem of an element whose item is not in the list. In a lenient request, the element alone fails with
 * `not-found`. Otherwise the whole request fails with `conflict`. Source: Specification 9.2, 9.4.
 */
export function notInList(
  resource: Resource,
  { id, synonym }: SentItem,
  { isLenient }: { isLenient: boolean },
): Problem {
  const { singular, identifier } = descriptionOf(resource);
  return problem(
    isLenient ? 'not-found' : 'conflict',
    `This list has no ${singular} ${id}. Leave this element out`,
    { errors: [{ pointer: `/${synonym ?? identifier.name}`, detail: 'names no item of this list' }] },
  );
}

/** Returns the problem of an item that names another parent than the path does. Source: Specification 1.13. */
export const otherParent = (
  { name, field }: Pick<ParentFacts, 'name' | 'field'>,
  singular: string,
  id: number,
): Problem =>
  problem('conflict', `The ${singular} names another ${name} than the path. Leave ${field} out`, {
    errors: [{ pointer: `/${field}`, detail: `must be ${id}, or be left out` }],
  });

/** What became of an element: a problem, or anything else. */
type Prepared =
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'made' | 'prepared' };

/** Returns the refused elements, each with its problem. */
const refusedIn = (elements: readonly SentItem[], all: readonly Prepared[]): SentItem[] =>
  elements.flatMap((sent, at) => {
    const one = all[at];
    return one?.kind === 'refused' ? [{ ...sent, problem: one.problem }] : [];
  });

/** Returns the failures of a step. `location`: the path of the list, for a new item. */
export const failuresOf = (
  { name }: Resource,
  elements: readonly SentItem[],
  all: readonly Prepared[],
  location: string,
): Failure[] =>
  refusedIn(elements, all).map((sent) => ({
    href: sent.id === undefined ? location : `/${name}/${sent.id}`,
    problem: problemOfElement(sent),
  }));

/**
 * Returns the refusal of a whole request: the errors of all elements, each with its pointer into the request body.
 * undefined if no element has a problem.
 */
export function refusalOf(elements: readonly SentItem[], all: readonly Prepared[]): Outcome | undefined {
  const found = refusedIn(elements, all);
  const problem = found[0]?.problem;
  if (!problem) return undefined;
  const forbidden = forbiddenElements(found);
  if (forbidden) return { kind: 'refused', problem: forbidden };
  const errors = found.flatMap((sent) => problemOfElement(sent).errors ?? []);
  const more = found.length > 1 ? ` (and ${found.length - 1} more)` : '';
  const detail = `Nothing was changed. ${problem.detail}${more}`;
  return { kind: 'refused', problem: { ...problem, detail, errors } };
}

/** Returns the refusal of a request that affects more items than `max-affected` allows. Source: Specification 9.7. */
export const tooMany = (affected: number, maximum: number, done: string): Outcome =>
  refused(
    'conflict',
    `${affected} items would be ${done}, more than the limit of ${maximum}. Nothing was ${done}. Raise max-affected, or affect fewer items`,
    { members: { affected, maximum } },
  );
