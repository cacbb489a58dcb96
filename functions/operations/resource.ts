import { FACTS } from '../../shared/operations/record/operations.ts';
import { authenticated } from '../../shared/resource/access.ts';
import { resource } from '../../shared/resource/resource.ts';
import { tracked } from '../../shared/resource/styles.ts';
import { operationActions } from './actions.ts';

/** Long-running operations: clients read their status and cancel them. */
export const operations = resource({
  ...FACTS,
  // These routes need no scope, because the actions show a caller only its own operations.
  routes: authenticated(tracked('/operations')),
  refusals: { remove: ['operation-finished'], cancelable: ['operation-finished'] },
  actions: operationActions,
});
