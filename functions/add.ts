import { decimal, view } from 'resource-api';

/** An operand. Its absolute value is below 10^38, and 0 or at least 10^-160, so that the service computes exact sums. */
const operand = (label: string, example: number, more: { readonly least?: number } = {}) =>
  decimal({
    label,
    minimum: -1e38,
    exclusive: true,
    below: 1e38,
    decimals: 160,
    required: true,
    example,
    ...more,
  });

// A client writes a smaller number with an exponent that no parameter has. Source: Specification D.6.
const least = 1e-38;

/** Addition: a view with one document, which never changes. Source: Specification 1.19, 1.20, C.89. */
export const add = view('add', {
  about: 'The exact sum of two decimal numbers.',
  title: 'Addition',
  summary: 'Add two numbers',
  parameters: {
    operand1: operand('First operand', 0.1, { least }),
    operand2: operand('Second operand', 0.2, { least }),
  },
  fields: {
    operand1: operand('First operand', 0.1),
    operand2: operand('Second operand', 0.2),
    sum: decimal({ minimum: -2e38, below: 2e38, required: true, example: 0.3 }),
  },
  one: ({ parameters: { operand1, operand2 } }) => ({ operand1, operand2, sum: operand1.plus(operand2) }),
  immutable: true,
  plain: 'sum',
});
