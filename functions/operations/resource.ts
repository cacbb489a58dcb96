import { integer } from '../../shared/resource/fields.ts';
import { resource } from '../../shared/resource/resource.ts';
import { LATER } from '../../shared/resource/route.ts';

const later = { action: LATER, content: 'none' } as const;

/** Long-running operations: their status, and how to cancel them. */
export const operations = resource({
  name: 'operations',
  title: 'Operations',
  about: 'Work that goes on after its request was answered.',
  routes: [
    { path: '/operations', operations: { GET: later } },
    { path: '/operations/{id}', operations: { GET: later, DELETE: later } },
  ],
  parameters: { id: integer('Operation') },
  actions: () => ({}),
});
