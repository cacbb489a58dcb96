import { createHash } from 'node:crypto';
import type { Exchange } from './exchange.ts';

/**
 * True when a previous run applied this request but crashed before it recorded the result. That run checked the
 * preconditions. Its effect makes them fail now, so this run must not check them again.
 */
export function isAlreadyApplied({ resumed, request, operation, state, bytesBody }: Exchange): boolean {
  if (!resumed) return false;
  if (request.method === 'DELETE') return operation.clientManaged === true && !state;
  if (state?.kind !== 'bytes' || !bytesBody) return false;
  const { sha256, mediaType } = state.bytes;
  return (
    mediaType === bytesBody.mediaType &&
    sha256 === createHash('sha256').update(bytesBody.bytes).digest('base64')
  );
}
