import { lazily } from '../../on-demand.ts';
import type { BinaryStorage } from '../../resource/actions/capabilities.ts';
import { binaryTag } from '../../resource/binary.ts';
import { protectedAs } from '../bytes-of-object.ts';

/** Loads the module with the client of S3 on the first request that needs it. */
const objects = lazily(() => import('./objects.ts'), ['store', 'read', 'discard']);

/** The bytes of binary properties in S3. Source: Specification 2.21. */
export const storedBinaries: BinaryStorage = {
  store: objects.store,

  bytes: (stored, isDeclared) => {
    const { key, contentType: mediaType, size, sha256, storedAt } = stored;
    return {
      etag: binaryTag(stored),
      size,
      lastModified: storedAt,
      mediaType,
      sha256,
      ...protectedAs(mediaType, !isDeclared),
      read: (range) => objects.read(key, range),
    };
  },

  discard: async (keys) => {
    if (keys.length > 0) await objects.discard(keys);
  },
};
