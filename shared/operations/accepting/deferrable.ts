import type { Actions } from '../../resource/action.ts';

/**
 * The actions of a resource whose requests may become operations. The first deferred request loads their module. Few
 * requests need it, and it would slow every cold start.
 */
export const deferrable = {
  defer: async (asked) => (await import('#deferral')).defer(asked),
  await: async (asked) => (await import('#deferral')).waiting(asked),
} satisfies Actions;
