import type { Action } from '../resource/action.ts';
import { defer as begin } from './defer.ts';
import { waitForEnd as wait } from './wait.ts';

/** The action that makes an operation of a request. */
export const defer: Action = (asked) => begin(asked);

/** The action that waits for an operation that was just begun. */
export const waiting: Action = (asked) => wait(asked);
