import { OPERATION_FACTS } from '../../shared/operations/record/operations.ts';
import { authenticated } from '../../shared/resource/access.ts';
import { resource } from '../../shared/resource/resource.ts';
import { tracked } from '../../shared/resource/styles/process.ts';
import { operationActions } from './actions.ts';

/** Long-running operations: clients read their status and cancel them. */
export const operations = resource({
  ...OPERATION_FACTS,
  // A cancellation takes effect at once, so no operation cancels another one.
  deferral: false,
  routes: (operations) => {
    const refusals = { remove: ['operation-finished'], cancelable: ['operation-finished'] } as const;
    // These routes need no scope, because the actions show a caller only its own operations.
    return authenticated(tracked('/operations', operationActions(operations), { refusals }));
  },
});
