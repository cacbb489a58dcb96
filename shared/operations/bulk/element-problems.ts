import { type Problem, problem } from '../../http/problem.ts';
import type { SentItem } from '../../resource/actions/sent.ts';
import { descriptionOf } from '../../resource/description/described.ts';
import type { Resource } from '../../resource/resource.ts';
import type { ParentFacts } from './rules.ts';

/**
 * The problem of an element whose item is not in the list. In a lenient request, the element alone fails with
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
    {
      errors: [{ pointer: `/${synonym ?? identifier.name}`, detail: 'names no item of this list' }],
    },
  );
}

/** The problem of an item that names another parent than the path does. Source: Specification 1.13. */
export const otherParent = (
  { name, field }: Pick<ParentFacts, 'name' | 'field'>,
  singular: string,
  id: number,
): Problem =>
  problem('conflict', `The ${singular} names another ${name} than the path. Leave ${field} out`, {
    errors: [{ pointer: `/${field}`, detail: `must be ${id}, or be left out` }],
  });
