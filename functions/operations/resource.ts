import { HAS_FILES } from '#about';
import { FACTS, handlerOf } from '../../shared/operations/record/fields.ts';
import { OPERATION_FACTS } from '../../shared/operations/record/operations.ts';
import { done } from '../../shared/resource/actions/outcome.ts';
import { text } from '../../shared/resource/description/fields.ts';
import { describe } from '../../shared/resource/description/plan.ts';
import type { Item } from '../../shared/resource/item.ts';
import { type Resource, resource } from '../../shared/resource/resource.ts';
import { authenticated, type Route } from '../../shared/resource/route.ts';
import { form, list, type OnItem, read, remove } from '../../shared/resource/styles/action-endpoints.ts';
import { tryingOut } from '../../shared/store/actions/trying-out.ts';
import { IDEMPOTENCY_TABLE } from '../../shared/store/idempotency/answers.ts';
import { type OperationActions, operationActions, RUNS_SCOPE } from './operation-actions.ts';

const NEW_LINKS =
  'Signs the upload links of an operation again, for the files that have not arrived. Links are valid for an hour, and the operation waits for its files for a day.';

/** The links of an operation. No request cancels a run of a schedule. */
const links = (item: Item) =>
  OPERATION_FACTS.links(item).filter(({ rel }) => rel !== 'cancel' || handlerOf(item) !== 'schedule');

/** The facts of the service. `schedules`: the names of its schedules. */
interface OperationsFacts {
  readonly schedules: readonly string[];
}

/** The filter that selects the runs of a schedule, for callers with the scope. No operation has the property. */
const schedule = text('Schedule', {
  server: true,
  readableBy: RUNS_SCOPE,
  seldom: true,
  example: 'reminders',
});

/**
 * Long-running operations: clients read their status and cancel them. If the service has schedules, their runs are
 * operations too.
 */
export const operations = ({ schedules }: OperationsFacts): Resource =>
  resource({
    ...OPERATION_FACTS,
    ...(schedules.length > 0
      ? { description: describe({ ...FACTS, fields: { ...FACTS.fields, schedule } }), links }
      : {}),
    // New upload links need the stored manifest, and permission for what they allow.
    uses: [
      { table: IDEMPOTENCY_TABLE.name, access: 'wait' },
      ...(HAS_FILES
        ? ([
            { objects: 'uploads/', access: 'stage' },
            { objects: 'operations/', access: 'read' },
          ] as const)
        : []),
    ],
    // A cancellation takes effect at once, so no operation cancels another one.
    deferral: false,
    dryRun: tryingOut(() => [OPERATION_FACTS]),
    // These routes need no scope, because the actions show a caller only its own operations.
    routes: (made) => authenticated(routesOf(operationActions(made))),
  });

/** Clients list operations, read them and cancel them by DELETE. People cancel them by a form. */
function routesOf(actions: OperationActions): Route[] {
  const path = `/${OPERATION_FACTS.name}`;
  const refusals = ['operation-finished'] as const;
  const isCancelable: OnItem = async (input) => {
    const outcome = await actions.cancelable(input);
    return outcome.kind === 'found' ? done : outcome;
  };
  const cancelable = { id: 'cancelable', takes: 'item', run: actions.cancelable, refusals } as const;
  const cancel = { ...remove(actions.remove, isCancelable), refusals, summary: 'Cancel an operation' };
  const reads = { takes: 'item', run: actions.read } as const;
  const renew = { id: 'renew', takes: 'item', run: actions.renew, refusals, content: 'none' } as const;
  return [
    { path, endpoints: { GET: list(actions.list) } },
    { path: `${path}/{id}`, endpoints: { GET: read(actions.read), DELETE: cancel } },
    form(`${path}/{id}/delete`, 'delete', cancelable, cancel),
    ...(HAS_FILES
      ? [{ path: `${path}/{id}/links`, endpoints: { POST: { ...renew, reads, about: NEW_LINKS } } }]
      : []),
  ];
}
