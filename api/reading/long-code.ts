import { lazily } from '../../shared/on-demand.ts';
import type { CustomAction } from '../../shared/resource/custom-action.ts';
import type { Resource } from '../../shared/resource/resource.ts';

/** What long actions need. Only the function of a resource that has one, and the worker, contain it. */
export const longCode = {
  ...lazily(() => import('./resumable-lists.ts'), ['resumableReading']),
  /** Returns a long action. Source: docs/decisions/0104-long-actions-and-kept-totals.md. */
  inSteps: async (resource: Resource, action: CustomAction) =>
    (await import('../../shared/operations/running/long-actions.ts')).performLong(resource, action),
};

/** True if a resource has a long action. */
export const hasLongActions = ({ routes }: Resource): boolean =>
  routes.some(({ endpoints: { POST } }) => POST?.isLong);
