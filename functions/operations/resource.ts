import { FACTS } from '../../shared/operations/operations.ts';
import { authenticated } from '../../shared/resource/access.ts';
import { resource } from '../../shared/resource/resource.ts';
import { tracked } from '../../shared/resource/styles.ts';
import { operationActions } from './actions.ts';

/** Long-running operations: their status, and how to cancel them. */
export const operations = resource({
  ...FACTS,
  // Whoever began one may look after it: others do not see it.
  routes: authenticated(tracked('/operations')),
  refusals: { remove: ['operation-finished'], cancelable: ['operation-finished'] },
  actions: operationActions,
});
