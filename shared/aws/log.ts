import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The `traceparent` of the request whose work runs, in version 00: `00-{trace}-{parent}-{flags}`. Log lines, messages,
 * operations and written items carry it on. Source: W3C Trace Context §3.2; Specification 10.14.
 */
export const trace = new AsyncLocalStorage<string | undefined>();

/** The operation that makes a version or a removal. `isUndo`: it is one of `POST /changes/undo`. */
export interface OperationMark {
  readonly operation: number;
  readonly isUndo: boolean;
}

/**
 * The operation whose work runs. Each write of an item then names it, and so does the kept version of a removal. Writes
 * outside of operations store nothing for this.
 */
export const operationAtWork = new AsyncLocalStorage<OperationMark>();

type Level = 'info' | 'warn' | 'error';

/**
 * Writes a line of JSON to a stream of the process. In a function with JSON logs, `console` would put the line into
 * another object, in which CloudWatch finds no metrics.
 *
 * Source: AWS Lambda Developer Guide, "Using embedded metric format (EMF) client libraries with structured JSON logs".
 */
const toStream = (level: Level, line: string): void => {
  process[level === 'info' ? 'stdout' : 'stderr'].write(`${line}\n`);
};

let write = toStream;

/** Replaces the output of the log; without an argument, restores it. Tests and `npm run cost` read lines so. */
export function configureLog(replacement: (level: Level, line: string) => void = toStream): void {
  write = replacement;
}

/**
 * Writes a log line in JSON, so that its properties can be searched, with the trace of the request. It must have no
 * personal data, no paths and no content.
 */
export function log(level: Level, members: Readonly<Record<string, unknown>>): void {
  write(level, JSON.stringify({ level, traceparent: trace.getStore(), ...members }));
}

/** The properties of a log line about an error and its cause. */
export const faultOf = (error: unknown): { error: string; cause?: string } => {
  const { stack, cause } = error as Error;
  return { error: stack ?? String(error), ...(cause === undefined ? {} : { cause: String(cause) }) };
};
