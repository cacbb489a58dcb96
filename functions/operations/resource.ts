import { FACTS } from '../../shared/operations/operations.ts';
import { resource } from '../../shared/resource/resource.ts';
import { tracked } from '../../shared/resource/styles.ts';
import { operable } from './actions.ts';

/** Long-running operations: their status, and how to cancel them. */
export const operations = resource({
  ...FACTS,
  routes: tracked('/operations'),
  refusals: { remove: ['operation-finished'], cancelable: ['operation-finished'] },
  actions: operable,
});
