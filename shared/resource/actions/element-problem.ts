import type { Problem } from '../../http/problem.ts';
import type { SentItem } from './sent.ts';

const NONE: Problem = { name: 'validation-error', detail: '' };

/** The problem of an element, with pointers from the root of the content. */
export function problemOfElement({ pointer, problem }: SentItem): Problem {
  const { errors, ...rest } = problem ?? NONE;
  if (!errors) return problem ? { ...rest, errors: [{ pointer, detail: rest.detail }] } : NONE;
  return { ...rest, errors: errors.map((one) => ({ ...one, pointer: pointer + (one.pointer ?? '') })) };
}
