import { createHash, createHmac } from 'node:crypto';

/**
 * Returns a number in place of a caller's name: 52 bits of a digest. It is the key of the list of operations. `owner`:
 * the subject of the token; undefined if the service is open.
 */
export const ownerNumber = (owner = ''): number =>
  Number(createHash('sha256').update(owner).digest().readBigUInt64BE() >> 12n);

/** Who owns an item: the subject of the token that created it, or the tenant for which that subject acted. */
export type Ownership = 'subject' | 'tenant';

/**
 * Who reads or writes items. A principal is a caller. A caller without a subject is one of an open service.
 * `isService`: the service itself, which sees and changes the items of all owners and is the author of none.
 */
export interface Caller {
  readonly subject?: string;
  readonly tenant?: string;
  /** The scopes of the token. */
  readonly scopes?: readonly string[];
  readonly isService?: true;
  /** A manager, at an endpoint for managers: it sees and changes the items of all owners. */
  readonly isManager?: true;
}

/** The caller of an open service. */
export const ANYONE: Caller = {};

/** The service itself, for work that no request asks for, or that must see the items of all owners. */
export const SERVICE: Caller = { isService: true };

/** A resource, as far as it decides whether items have owners. */
interface Owned {
  readonly owner?: Ownership | undefined;
}

/**
 * Returns the owner whose items a caller may see, as a digest of 43 characters; undefined if the caller may see all
 * items. Callers of an open service are one owner.
 *
 * @throws Error if the token names no tenant: the flow refuses such a caller before (`lacksTenant`)
 */
export function ownerOf({ owner }: Owned, caller: Caller): string | undefined {
  if (owner === undefined || caller.isService || caller.isManager) return undefined;
  if (lacksTenant({ owner }, caller)) throw new Error('A caller without a tenant has passed the flow');
  const name = owner === 'tenant' ? caller.tenant : caller.subject;
  return createHash('sha256')
    .update(`${owner} ${name ?? ''}`)
    .digest('base64url');
}

/** True if a caller can own no item, because the token does not name a tenant. */
export const lacksTenant = ({ owner }: Owned, { subject, tenant }: Caller): boolean =>
  owner === 'tenant' && subject !== undefined && tenant === undefined;

/**
 * Returns a text in place of a caller's name, for logs and events: 32 hexadecimal digits. Without the key of the
 * deployment, the subject of a token cannot be guessed from it. Source: RFC 2104; Specification 11.14.
 */
export const callerHash = (key: string, subject: string): string =>
  createHmac('sha256', key).update(subject).digest('hex').slice(0, 32);
