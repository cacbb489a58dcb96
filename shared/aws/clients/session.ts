import { config } from '../config.ts';

/** The longest session of a function's role, in ms. It starts before the process does. */
const SESSION_MS = 12 * 60 * 60 * 1000;
/** The assumed longest time from the start of the session to the start of the process, in ms. */
const BEFORE_START = 15 * 60 * 1000;

/**
 * The time in ms since the epoch at which the credentials of this process expire; undefined if they do not. Lambda does
 * not state this time, so it follows from the start of the process.
 *
 * Source: AWS Lambda Developer Guide, "Defining runtime environment variables": AWS_SESSION_TOKEN; AWS re:Post, "Why is
 * my presigned URL expiring before the time that I specified?"
 */
export const sessionEnd = (): number | undefined =>
  config.sessionToken() === undefined ? undefined : performance.timeOrigin + SESSION_MS - BEFORE_START;
