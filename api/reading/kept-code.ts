import { lazily } from '../../shared/on-demand.ts';

/** Reads the totals that the service keeps. Only the functions of resources with this fact contain it. */
export const keptCode = lazily(() => import('../../shared/store/lists/kept-totals.ts'), ['keptGroups']);
