import { createHash } from 'node:crypto';
import type { Exchange } from './exchange.ts';

/**
 * Whether the target is as the request wants it, because the run before this one did it and died before it could say so.
 * Its preconditions held then, and what it did makes them fail now.
 */
export function hadBefore({ begun, request, operation, state, sent }: Exchange): boolean {
  if (!begun) return false;
  if (request.method === 'DELETE') return operation.clientManaged === true && !state;
  if (state?.kind !== 'bytes' || !sent) return false;
  const { sha256, mediaType } = state.bytes;
  return mediaType === sent.mediaType && sha256 === createHash('sha256').update(sent.bytes).digest('base64');
}
