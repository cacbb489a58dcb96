import { decimal } from '../../shared/resource/description/fields.ts';
import { resource } from '../../shared/resource/resource.ts';
import { document } from '../../shared/resource/styles/document.ts';
import { PLACES, sum } from './sum.ts';

/** The smallest double above -10^38, because the schema of a number has only an inclusive minimum. */
const LEAST = -1e38 * (1 - Number.EPSILON / 2);
const operand = (label: string, example: number) =>
  decimal(label, { minimum: LEAST, below: 1e38, least: Number(`1e-${PLACES}`), example });

const OPERANDS = { operand1: operand('First operand', 0.1), operand2: operand('Second operand', 0.2) };

/**
 * Addition: an action that fits no resource. Its response never changes.
 *
 * Source: Specification 1.19, C.89.
 */
export const add = resource({
  name: 'add',
  title: 'Addition',
  about: 'The exact sum of two decimal numbers.',
  parameters: OPERANDS,
  routes: () =>
    document('/add', {
      id: 'add',
      run: sum,
      parameters: ['operand1', 'operand2'],
      fields: { ...OPERANDS, sum: decimal('Sum', { minimum: -2e38, below: 2e38, example: 0.3 }) },
      plain: true,
    }),
});
