import { problem } from '../../shared/http/problem.ts';
import { Decimal } from '../../shared/json/decimal.ts';
import type { JsonObject } from '../../shared/json/value.ts';
import { type Completion, complete } from '../../shared/resource/actions/completion.ts';
import { decimalFault } from '../../shared/resource/description/validation/decimal-rule.ts';
import { readNumber } from '../../shared/store/references.ts';
import { description } from './fields.ts';

const PRODUCTS = { resource: 'products', key: 'id' };

/**
 * Completes an order with its value: the value of the request, or otherwise the exact price × quantity.
 * Refuses an order without a value if the product does not exist or has no price.
 *
 * Source: Specification 2.6.
 */
export async function computeOrderValue(values: JsonObject): Promise<Completion> {
  if (values.orderValue !== undefined) return complete(values);
  const price = await readNumber(PRODUCTS, values.productId as number, 'price');
  const refuse = (detail: string): Completion => ({
    kind: 'refused',
    problem: problem('validation-error', 'The value of the order cannot be computed. Send orderValue', {
      errors: [{ pointer: '/orderValue', detail }],
    }),
  });
  if (!price) {
    return refuse(
      `must be given: product ${values.productId} ${price === null ? 'has no price' : 'does not exist'}`,
    );
  }
  const orderValue = price.times(Decimal.from(values.quantity as number));
  const fault = decimalFault(orderValue, description.fields.orderValue);
  return fault
    ? refuse(`${fault}, but price × quantity is ${orderValue.text}`)
    : complete({ ...values, orderValue });
}
