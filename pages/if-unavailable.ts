import { Unavailable } from '../shared/http/problem.ts';

/** Returns what a page shows instead of a read whose storage does not respond. Other errors stay errors. */
export const ifUnavailable =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if (error instanceof Unavailable) return value;
    throw error;
  };
