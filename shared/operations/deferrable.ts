import { defer } from './defer.ts';
import { waiting } from './wait.ts';

/** The actions of a resource whose requests may become operations. */
export const deferrable = { defer, await: waiting };
