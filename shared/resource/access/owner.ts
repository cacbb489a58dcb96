import { createHash } from 'node:crypto';
import type { Principal } from '../../http/request.ts';

/**
 * A number in place of a caller's name: 52 bits of a digest. It is the key of the list of operations. `owner`: the
 * subject of the token; undefined if the service is open.
 */
export const ownerNumber = (owner = ''): number =>
  Number(createHash('sha256').update(owner).digest().readBigUInt64BE() >> 12n);

/** Who owns an item: the subject of the token that created it, or the tenant for which that subject acted. */
export type Ownership = 'subject' | 'tenant';

/** A resource, as far as it decides whether items have owners. */
interface Owned {
  readonly owner?: Ownership | undefined;
}

/**
 * The owner whose items a caller may see, as a digest of 43 characters; undefined if the items have no owners. Callers
 * of an open service are one owner.
 *
 * @throws Error if the token names no tenant: the flow refuses such a caller before (`lacksTenant`)
 */
export function ownerOf({ owner }: Owned, principal: Principal | undefined): string | undefined {
  if (owner === undefined) return undefined;
  if (lacksTenant({ owner }, principal)) throw new Error('A caller without a tenant has passed the flow');
  const name = owner === 'tenant' ? principal?.tenant : principal?.subject;
  return createHash('sha256')
    .update(`${owner} ${name ?? ''}`)
    .digest('base64url');
}

/** True if a caller can own no item, because the token does not name a tenant. */
export const lacksTenant = ({ owner }: Owned, principal: Principal | undefined): boolean =>
  owner === 'tenant' && principal !== undefined && principal.tenant === undefined;
