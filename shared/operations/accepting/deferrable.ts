import type { Deferral } from '../../resource/actions/capabilities.ts';

/**
 * The capability to turn requests into operations. The first deferred request loads its module. Few requests need it,
 * and it would slow every cold start.
 */
export const deferrable: Deferral = {
  accept: async (...input) => (await import('#deferral')).deferral.accept(...input),
  waitForEnd: async (...input) => (await import('#deferral')).deferral.waitForEnd(...input),
};
