import { createAll } from './create-all.ts';
import { each } from './each.ts';
import { removeAll } from './remove-all.ts';
import { replaceAll } from './replace-all.ts';

/** What works on many items at once, as one module that is loaded by the first request that does. */
export const bulk = { createAll, each, removeAll, replaceAll };
