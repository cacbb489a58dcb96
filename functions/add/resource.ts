import { resource } from '../../shared/resource/resource.ts';
import { document } from '../../shared/resource/styles.ts';
import { sum } from './sum.ts';

/** Addition: a rare action that is no resource, and never changes its answer. */
export const add = resource({
  name: 'add',
  title: 'Addition',
  routes: document('/add', 'sum', ['operand1', 'operand2']),
  plain: true,
  actions: () => ({ sum }),
});
