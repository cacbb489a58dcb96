import type { Comparator, Condition } from './condition.ts';
import { operandValue } from './operand.ts';
import { valueAt } from './path.ts';
import type { Scope } from './scope.ts';
import { equal, type Item, orderedBytes, typeOf, type Value } from './value.ts';

/**
 * Whether the item meets the condition. A missing item is the empty item. Comparing different types is
 * false, except that `<>` is then true.
 *
 * Source: DynamoDB Developer Guide "Condition and filter expressions, operators, and functions".
 */
export function meets(condition: Condition, scope: Scope, item: Item): boolean {
  switch (condition.is) {
    case 'and':
      return meets(condition.left, scope, item) && meets(condition.right, scope, item);
    case 'or':
      return meets(condition.left, scope, item) || meets(condition.right, scope, item);
    case 'not':
      return !meets(condition.condition, scope, item);
    case 'exists':
      return (valueAt(item, scope.path(condition.path)) !== undefined) === condition.exists;
    case 'compare':
      return compares(
        operandValue(condition.left, scope, item),
        condition.comparator,
        operandValue(condition.right, scope, item),
      );
    case 'between': {
      const value = operandValue(condition.operand, scope, item);
      return (
        compares(value, '>=', operandValue(condition.low, scope, item)) &&
        compares(value, '<=', operandValue(condition.high, scope, item))
      );
    }
    case 'in': {
      const value = operandValue(condition.operand, scope, item);
      return condition.candidates.some((candidate) =>
        compares(value, '=', operandValue(candidate, scope, item)),
      );
    }
    default: {
      const subject = operandValue(condition.subject, scope, item);
      const operand = operandValue(condition.operand, scope, item);
      if (subject === undefined || operand === undefined) return false;
      if (condition.is === 'attribute_type') return typeOf(subject) === operand.S;
      return condition.is === 'contains' ? contains(subject, operand) : beginsWith(subject, operand);
    }
  }
}

function compares(left: Value | undefined, comparator: Comparator, right: Value | undefined): boolean {
  if (left === undefined || right === undefined) return comparator === '<>';
  if (comparator === '=') return equal(left, right);
  if (comparator === '<>') return !equal(left, right);
  const a = orderedBytes(left);
  const b = orderedBytes(right);
  if (!a || !b || typeOf(left) !== typeOf(right)) return false;
  const order = Buffer.compare(a, b);
  switch (comparator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    default:
      return order >= 0;
  }
}

function contains(subject: Value, operand: Value): boolean {
  if (subject.S !== undefined) return operand.S !== undefined && subject.S.includes(operand.S);
  if (subject.B !== undefined) {
    return (
      operand.B !== undefined && Buffer.from(subject.B, 'base64').includes(Buffer.from(operand.B, 'base64'))
    );
  }
  if (subject.SS) return operand.S !== undefined && subject.SS.includes(operand.S);
  if (subject.NS) return operand.N !== undefined && subject.NS.includes(operand.N);
  if (subject.BS) return operand.B !== undefined && subject.BS.includes(operand.B);
  return subject.L?.some((element) => equal(element, operand)) ?? false;
}

function beginsWith(subject: Value, operand: Value): boolean {
  if (subject.N !== undefined || typeOf(subject) !== typeOf(operand)) return false;
  const bytes = orderedBytes(subject);
  const prefix = orderedBytes(operand);
  return bytes !== undefined && prefix !== undefined && bytes.subarray(0, prefix.length).equals(prefix);
}
