import { GRANT_MS } from '../../shared/events/webhooks/judgement.ts';
import type { JsonObject } from '../../shared/json/value.ts';
import type { Caller } from '../../shared/resource/access/owner.ts';

/** A later end is stored only if it is later by so much, in ms: repeated tests make no versions. */
const DAY_MS = 86_400_000;

/** The end of a grant that begins or goes on now (ms since the epoch), as a member; none in an open service. */
export const newExpiry = ({ scopes }: Caller, now: number): JsonObject =>
  scopes ? { expires: now + GRANT_MS } : {};

/** The later end of a grant after a use that changes nothing else, as a member; none if the present one may stay. */
export const renewedExpiry = ({ expires }: JsonObject, now: number): JsonObject =>
  typeof expires === 'number' && expires < now + GRANT_MS - DAY_MS ? { expires: now + GRANT_MS } : {};
