import { resource } from '../../shared/resource/resource.ts';
import { LATER } from '../../shared/resource/route.ts';

const later = { action: LATER, content: 'none' } as const;

/** Long-running operations: their status, and how to cancel them. */
export const operations = resource({
  name: 'operations',
  title: 'Operations',
  routes: [
    { path: '/operations', operations: { GET: later } },
    { path: '/operations/{id}', operations: { GET: later, DELETE: later } },
  ],
  actions: () => ({}),
});
