import { type Path, parsePath, valueAt } from './path.ts';
import type { Scope } from './scope.ts';
import type { Tokens } from './tokens.ts';
import { type Item, typeOf, type Value } from './value.ts';

/** Something with a value: a document path, a `:placeholder` or the size of one. */
export type Operand = { path: Path } | { value: string } | { size: Operand };

/** Reads one operand. */
export function parseOperand(tokens: Tokens): Operand {
  const { kind, text } = tokens.peek();
  if (kind === 'placeholder' && text.startsWith(':')) return { value: tokens.next().text };
  if (kind === 'word' && tokens.peek(1).text === '(') {
    if (text !== 'size') throw tokens.fault(`Invalid function name; function: ${text}`);
    tokens.next();
    tokens.expect('(');
    const size = parseOperand(tokens);
    tokens.expect(')');
    return { size };
  }
  return { path: parsePath(tokens) };
}

/** What the operand is worth for that item; undefined for a missing attribute. */
export function operandValue(operand: Operand, scope: Scope, item: Item): Value | undefined {
  if ('value' in operand) return scope.value(operand.value);
  if ('path' in operand) return valueAt(item, scope.path(operand.path));
  const size = sizeOf(operandValue(operand.size, scope, item));
  return size === undefined ? undefined : { N: String(size) };
}

/** Source: DynamoDB Developer Guide "Condition and filter expressions, operators, and functions", size. */
function sizeOf(value: Value | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (value.S !== undefined) return value.S.length;
  if (value.B !== undefined) return Buffer.byteLength(value.B, 'base64');
  if (value.M) return Object.keys(value.M).length;
  const content = value[typeOf(value)];
  return Array.isArray(content) ? content.length : undefined;
}
