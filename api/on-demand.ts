import { lazily } from '../shared/on-demand.ts';
import type { Deferral } from '../shared/resource/actions/capabilities.ts';
import type { OwnAction } from '../shared/resource/custom-action.ts';
import type { Resource } from '../shared/resource/resource.ts';
import type { HistoryActions } from '../shared/resource/styles/history.ts';
import type { OwnEndpoint } from '../shared/resource/styles/own-action.ts';

/** The capability to turn requests into operations. */
export const deferral: Deferral = lazily(
  async () => (await import('../shared/operations/accepting/deferral.ts')).deferral,
  ['accept', 'waitForEnd'],
);

/** The actions on the versions of items. */
export const historyOf = (resource: Resource): HistoryActions =>
  lazily(
    async () => (await import('../shared/store/actions/history-actions.ts')).historyActions(resource),
    ['list', 'removed', 'read', 'restore', 'at'],
  );

/** The custom actions of a resource. Source: docs/decisions/0067-own-actions.md. */
export const inUnits = (resource: Resource, actions: readonly OwnAction[]): OwnEndpoint[] =>
  actions.map((action) => {
    const load = () => import('../shared/store/own/actions-in-units.ts');
    if (action.at === 'collection') {
      const inUnit = async () => (await load()).performOnList(resource, action);
      return { ...action, ...lazily(inUnit, ['run', 'check']) };
    }
    const inUnit = async () => (await load()).performOnItem(resource, action);
    return { ...action, ...lazily(inUnit, ['run', 'check']) };
  });
