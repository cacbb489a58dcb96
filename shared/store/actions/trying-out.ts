import type { DryRun } from '../../resource/actions/capabilities.ts';
import type { Resource } from '../../resource/resource.ts';

type Planned = Pick<Resource, 'name' | 'description' | 'table' | 'owner'>;

/**
 * Returns the capability to try requests out that change items of these resources. Few requests ask for it, so its code
 * loads with the first one.
 */
export const tryingOut = (resources: () => readonly Planned[] | Promise<readonly Planned[]>): DryRun => ({
  changesBy: async (work) => (await import('../write/dry-run.ts')).dryRun(await resources()).changesBy(work),
});
