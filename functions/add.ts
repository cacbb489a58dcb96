import { decimal } from '../shared/resource/description/fields.ts';
import { resource } from '../shared/resource/resource.ts';
import { document } from '../shared/resource/styles/document.ts';
import { EXPONENT, sum } from './add/sum.ts';

/** The smallest double above -10^38, because the schema of a number has only an inclusive minimum. */
const LEAST = -1e38 * (1 - Number.EPSILON / 2);
const BOUNDS = { minimum: LEAST, below: 1e38 };

const operands = (more: { readonly least?: number }) => ({
  operand1: decimal('First operand', { ...BOUNDS, ...more, example: 0.1 }),
  operand2: decimal('Second operand', { ...BOUNDS, ...more, example: 0.2 }),
});

/**
 * Addition: an action that fits no resource. Its response never changes. `resource` of the package makes collections, so
 * this definition has the inner language of `shared/resource`.
 *
 * Source: Specification 1.19, C.89.
 */
export const add = resource({
  name: 'add',
  title: 'Addition',
  about: 'The exact sum of two decimal numbers.',
  parameters: operands({ least: Number(`1e-${EXPONENT}`) }),
  routes: () =>
    document('/add', {
      id: 'add',
      summary: 'Add two numbers',
      run: sum,
      parameters: ['operand1', 'operand2'],
      fields: { ...operands({}), sum: decimal('Sum', { minimum: -2e38, below: 2e38, example: 0.3 }) },
      plain: 'text/plain',
    }),
});
