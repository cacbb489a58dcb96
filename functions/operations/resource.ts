import { HAS_FILES } from '#about';
import { OPERATION_FACTS } from '../../shared/operations/record/operations.ts';
import { resource } from '../../shared/resource/resource.ts';
import { authenticated } from '../../shared/resource/route.ts';
import { renewal, tracked } from '../../shared/resource/styles/process.ts';
import { operationActions } from './actions.ts';

const NEW_LINKS =
  'Signs the upload links of an operation again, for the files that have not arrived. Links are valid for an hour, and the operation waits for its files for a day.';

/** Long-running operations: clients read their status and cancel them. */
export const operations = resource({
  ...OPERATION_FACTS,
  // New upload links need the stored manifest, and permission for what they allow.
  uses: HAS_FILES
    ? [
        { objects: 'uploads/', access: 'stage' },
        { objects: 'operations/', access: 'read' },
      ]
    : [],
  // A cancellation takes effect at once, so no operation cancels another one.
  deferral: false,
  routes: (operations) => {
    const refusals = { remove: ['operation-finished'], cancelable: ['operation-finished'] } as const;
    // These routes need no scope, because the actions show a caller only its own operations.
    const actions = operationActions(operations);
    return authenticated([
      ...tracked('/operations', actions, { refusals, summary: 'Cancel an operation' }),
      ...(HAS_FILES ? renewal('/operations/{id}/links', actions.read, actions.renew, NEW_LINKS) : []),
    ]);
  },
});
