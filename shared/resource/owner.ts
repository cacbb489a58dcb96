import { createHash } from 'node:crypto';

/**
 * A number in place of a caller's name: 52 bits of a digest. It is the key of the list of operations. `owner`: the
 * subject of the token; undefined if the service is open.
 */
export const ownerNumber = (owner = ''): number =>
  Number(createHash('sha256').update(owner).digest().readBigUInt64BE() >> 12n);
