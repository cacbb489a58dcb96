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
  const only = chunks[0];
  if (chunks.length === 1 && only) return Buffer.from(only.buffer, only.byteOffset, only.byteLength);
  return Buffer.concat(chunks);
}

/** Any body as pieces. */
export async function* pieces(body: Body): AsyncGenerator<Uint8Array> {
  if (body === undefined) return;
  if (isBytes(body)) yield body;
  else yield* body;
}

// ArrayBuffer.isView, not instanceof: bytes may come from another realm (a test runner's context).
function isBytes(body: AsyncIterable<Uint8Array> | Uint8Array): body is Uint8Array {
  return ArrayBuffer.isView(body);
}
