import { createHash } from 'node:crypto';
import type { Exchange } from './exchange.ts';

/**
 * Whether the target is as the request wants it, because the run before this one did it and died before it could say so.
 * Its preconditions held then, and what it did makes them fail now.
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
