import { lazily } from '../shared/on-demand.ts';
import type { Deferral } from '../shared/resource/actions/capabilities.ts';
import type { CustomAction } from '../shared/resource/custom-action.ts';
import type { Resource } from '../shared/resource/resource.ts';
import type { CustomEndpoint } from '../shared/resource/styles/custom-actions.ts';
import type { HistoryActions } from '../shared/resource/styles/history.ts';
import type { TotalsActions } from '../shared/resource/styles/totals.ts';
import { longOf, othersOf } from './connect.ts';
import type { ItemReader } from './reading/code-reading.ts';

/** The capability to turn requests into operations. */
export const deferral: Deferral = lazily(
  async () => (await import('../shared/operations/accepting/defer.ts')).deferral,
  ['accept', 'waitForEnd'],
);

/** Reads items for code of authors. */
export const itemReader: ItemReader = lazily(
  () => import('./reading/code-lists.ts'),
  ['countItems', 'pagesOf', 'readOne'],
);

/** Returns the actions that count and sum the items of lists. `field`: names the item above, for a list below it. */
export const totalsIn = (resource: Resource, field?: string): TotalsActions => {
  const load = async () =>
    (await import('../shared/store/lists/totals.ts')).totalsActions(
      resource,
      field,
      othersOf(resource).kept?.keptGroups,
    );
  return lazily(load, ['all', 'below']);
};

/** Returns the actions on the versions of items. */
export const historyOf = (resource: Resource): HistoryActions =>
  lazily(
    async () => (await import('../shared/store/actions/history-actions.ts')).historyActions(resource),
    ['list', 'removed', 'read', 'restore', 'at'],
  );

/** Returns the custom actions of a resource. Source: docs/decisions/0067-custom-actions.md. */
export const inUnits = (resource: Resource, actions: readonly CustomAction[]): CustomEndpoint[] =>
  actions.map((action) => {
    const load = () => import('../shared/store/custom/actions-in-units.ts');
    const inSteps = () => longOf(resource).inSteps(resource, action);
    if (action.at === 'collection') {
      const inUnit = async () => (await load()).performOnList(resource, action);
      return { ...action, ...lazily(action.isLong ? inSteps : inUnit, ['run', 'check']) };
    }
    const inUnit = async () => (await load()).performOnItem(resource, action);
    return { ...action, ...lazily(action.isLong ? inSteps : inUnit, ['run', 'check']) };
  });
