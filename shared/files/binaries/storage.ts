import type { BinaryStorage } from '../../resource/actions/capabilities.ts';
import { binaryTag } from '../../resource/binary.ts';
import { protectedAs } from '../bytes-of-object.ts';

/** Loads the module with the S3 client on the first request that needs it. */
const load = () => import('#binaries');

/** The bytes of binary properties in S3. Source: Specification 2.21. */
export const storedBinaries: BinaryStorage = {
  store: async (owner, sent, now) => (await load()).store(owner, sent, now),

  bytes: (stored, isDeclared) => {
    const { key, contentType: mediaType, size, sha256, storedAt } = stored;
    return {
      etag: binaryTag(stored),
      size,
      lastModified: storedAt,
      mediaType,
      sha256,
      ...protectedAs(mediaType, !isDeclared),
      read: async (range) => (await load()).read(key, range),
    };
  },

  discard: async (keys) => {
    if (keys.length > 0) await (await load()).discard(keys);
  },
};
