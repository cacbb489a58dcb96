import { lazily } from '../shared/on-demand.ts';

/** Counts the totals that the service keeps anew. The bundler leaves it out of a service that keeps none. */
export const recounting: Recounting | undefined = lazily(
  () => import('../functions/worker/backfill/recount.ts'),
  ['beginRecount', 'endRecount', 'recount'],
);

type Recounting = ReturnType<
  typeof lazily<
    typeof import('../functions/worker/backfill/recount.ts'),
    ['beginRecount', 'endRecount', 'recount']
  >
>;
