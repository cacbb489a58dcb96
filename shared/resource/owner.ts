import { createHash } from 'node:crypto';

/**
 * A number in place of a caller's name: 52 bits of a digest. Operations are listed by it, and the log tells one caller from
 * another by it. `owner`: the subject of their token; undefined where the service is open to everybody.
 */
export const ownerNumber = (owner = ''): number =>
  Number(createHash('sha256').update(owner).digest().readBigUInt64BE() >> 12n);
