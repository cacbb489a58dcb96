import type { Actions } from '../resource/action.ts';

/**
 * The actions of a resource whose requests may become operations. What they need is loaded by the first request that
 * does: few do, and every cold start would pay for it.
 */
export const deferrable = {
  defer: async (asked) => (await import('#deferral')).defer(asked),
  await: async (asked) => (await import('#deferral')).waiting(asked),
} satisfies Actions;
