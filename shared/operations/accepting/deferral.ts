import type { Deferral } from '../../resource/actions/capabilities.ts';
import { defer } from './defer.ts';
import { waitForEnd as wait } from './wait.ts';

/** Turns a request into an operation. */
export const accept: Deferral['accept'] = defer;

/** Waits for the end of a new operation. */
export const waitForEnd: Deferral['waitForEnd'] = wait;
