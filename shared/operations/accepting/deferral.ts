import type { Action } from '../../resource/action.ts';
import { defer as begin } from './defer.ts';
import { waitForEnd as wait } from './wait.ts';

/** The action that turns a request into an operation. */
export const defer: Action = (asked) => begin(asked);

/** The action that waits for the end of a new operation. */
export const waiting: Action = (asked) => wait(asked);
