import type { Problem } from '../http/problem.ts';
import type { SentItem } from './action.ts';

const NONE: Problem = { name: 'validation-error', detail: '' };

/** The problem of one of several items, with pointers from the root of the content. */
export function withPointerPrefix({ pointer, problem }: SentItem): Problem {
  const { errors, ...stated } = problem ?? NONE;
  if (!errors) return problem ? { ...stated, errors: [{ pointer, detail: stated.detail }] } : NONE;
  return { ...stated, errors: errors.map((one) => ({ ...one, pointer: pointer + (one.pointer ?? '') })) };
}
