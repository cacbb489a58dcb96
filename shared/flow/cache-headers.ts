import type { State } from '../resource/outcome.ts';
import type { Resource } from '../resource/resource.ts';
import type { Operation } from '../resource/route.ts';

/** What clients may keep: entities always ask again. Source: RFC 9111 §5.2.2. */
const PRIVATE = 'private, no-cache';

/** Cache-Control and Vary of a representation, the same in 200 and 304. Source: RFC 9110 §12.5.5, §15.4.5. */
export function cacheHeaders(
  { volatile }: Pick<Resource, 'volatile'>,
  state: State | undefined,
  shape?: Operation['shape'],
): Record<string, string> {
  // A form that was sent has to be fetched anew: its key is used up.
  if (shape === 'form') return { 'Cache-Control': 'no-store', Vary: 'Accept' };
  const headers: Record<string, string> = {
    'Cache-Control': ownHeaders(state)?.['Cache-Control'] ?? (volatile ? 'no-store' : PRIVATE),
  };
  // Bytes are served as they are, whatever Accept says.
  if (state?.kind !== 'bytes') headers.Vary = state?.kind === 'list' ? 'Accept, Prefer' : 'Accept';
  return headers;
}

function ownHeaders(state: State | undefined): Readonly<Record<string, string>> | undefined {
  if (state?.kind === 'document') return state.headers;
  return state?.kind === 'bytes' ? state.bytes.headers : undefined;
}
