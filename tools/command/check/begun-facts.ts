import type { Promised } from '../../../infra/stored.ts';
import { commandLine } from '../../../service/folders.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { isTotalName } from '../../../shared/store/form/constraint-rows.ts';
import { formOf } from '../../../shared/store/form/inventory.ts';
import type { Change } from './change.ts';

/** Returns the variables and secrets that code begins to need. */
export function needs({ name, needs: stated = {} }: Resource, before: Promised): Change[] {
  const isNew = (one: string) => !before.needs?.includes(one);
  const wayBack = 'Deploy the release before: it does not read it.';
  return [
    ...(stated.variables ?? []).filter(isNew).map((one): Change => {
      const consequence = 'Clients notice nothing. Synthesis refuses an environment without the value.';
      const steps = `Give its value: variables: { ${one}: … } in the options of each environment.`;
      return {
        effect: 'waits',
        what: `${name}: its code needs the variable ${one}`,
        consequence,
        steps,
        wayBack,
      };
    }),
    ...(stated.secrets ?? []).filter(isNew).map((one): Change => {
      const consequence = 'Until it is set, actions that use it get 500, and onChange is called again.';
      const steps = `Set it before the deployment: ${commandLine('secret', one)}.`;
      return {
        effect: 'waits',
        what: `${name}: its code needs the secret ${one}`,
        consequence,
        steps,
        wayBack,
      };
    }),
  ];
}

/** Returns the totals that the service begins to keep. */
export const totals = (resource: Resource, before: Promised): Change[] =>
  formOf(resource)
    .form.unique.filter((name) => isTotalName(name) && !before.unique.includes(name))
    .map((name) => ({
      effect: 'waits',
      what: `${resource.name}: it keeps ${name}`,
      consequence: 'Until a backfill has counted the stored items, these totals read at most 10,000 items.',
      steps: `Deploy, and run ${commandLine('backfill', resource.name)}.`,
      wayBack:
        'Deploy the release before: it does not count. When this release returns, run the backfill again.',
    }));
