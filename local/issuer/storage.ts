import type { Adapter, AdapterPayload } from 'oidc-provider';

/** The records of the issuer by kind and identifier. They live as long as the process. */
const records = new Map<string, AdapterPayload>();

/**
 * Stores sign-ins, codes and refresh tokens in memory. The store of the library would print a warning at each start.
 */
export function inMemory(kind: string): Adapter {
  const key = (id: string) => `${kind} ${id}`;
  const find = async (id: string) => records.get(key(id));
  const first = (fits: (one: AdapterPayload) => boolean) =>
    [...records].find(([name, one]) => name.startsWith(`${kind} `) && fits(one))?.[1];
  return {
    upsert: async (id, payload) => {
      records.set(key(id), payload);
    },
    find,
    findByUserCode: async (userCode) => first((one) => one.userCode === userCode),
    findByUid: async (uid) => first((one) => one.uid === uid),
    consume: async (id) => {
      const found = await find(id);
      if (found) found.consumed = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => {
      records.delete(key(id));
    },
    revokeByGrantId: async (grantId) => {
      for (const [name, one] of records) if (one.grantId === grantId) records.delete(name);
    },
  };
}
