import type { Readable } from 'node:stream';

/**
 * An HTTP request in the form in which AWS would receive it: raw path and query, header names in lower case, a body
 * in chunks.
 */
export interface EngineRequest {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** The response to an EngineRequest. */
export interface EngineResponse {
  status: number;
  headers: Record<string, string>;
  body?: Uint8Array | Readable;
}
