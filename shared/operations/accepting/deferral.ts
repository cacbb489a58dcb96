import type { Deferral } from '../../resource/actions/capabilities.ts';
import { defer } from './defer.ts';
import { waitForEnd } from './wait.ts';

/** Turns a request into an operation, and waits for its end. */
export const deferral: Deferral = { accept: defer, waitForEnd };
