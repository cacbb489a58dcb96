import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The `traceparent` of the request whose work runs, in version 00: `00-{trace}-{parent}-{flags}`. Log lines, messages,
 * operations and written items carry it on. Source: W3C Trace Context §3.2; Specification 10.14.
 */
export const trace = new AsyncLocalStorage<string | undefined>();
