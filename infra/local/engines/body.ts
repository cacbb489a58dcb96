import { Fault } from './fault.ts';

/** A request body as it arrives: nothing, all at once, or in pieces. */
export type Body = AsyncIterable<Uint8Array> | Uint8Array | undefined;

/**
 * Reads a whole body into memory.
 *
 * @param limit in bytes; a longer body is refused (413 RequestEntityTooLarge) before it is held in memory
 */
export async function readBody(body: Body, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of pieces(body)) {
    length += chunk.byteLength;
    if (length > limit) {
      throw new Fault('RequestEntityTooLarge', `Request body is longer than ${limit} bytes`, 413);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Any body as pieces. */
export async function* pieces(body: Body): AsyncGenerator<Uint8Array> {
  // Not instanceof: bytes may come from another realm (a test runner's context).
  if (ArrayBuffer.isView(body)) yield body;
  else if (body) yield* body;
}
