import { parseNumber } from './number.ts';
import type { Item, Value } from './value.ts';

/**
 * Maximum size of an item in bytes, including attribute names. Source: DynamoDB Developer Guide "Quotas", Item size.
 */
export const MAXIMUM_ITEM_SIZE = 400 * 1024;

/**
 * Size of an item in bytes, as DynamoDB counts it for limits and capacity.
 * Source: DynamoDB Developer Guide "DynamoDB item sizes and formats".
 */
export function itemSize(item: Item): number {
  return sum(Object.entries(item), ([name, value]) => Buffer.byteLength(name) + valueSize(value));
}

function valueSize(value: Value): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return numberSize(value.N);
  if (value.B !== undefined) return Buffer.byteLength(value.B, 'base64');
  if (value.SS) return sum(value.SS, (member) => Buffer.byteLength(member));
  if (value.NS) return sum(value.NS, numberSize);
  if (value.BS) return sum(value.BS, (member) => Buffer.byteLength(member, 'base64'));
  if (value.L) return 3 + value.L.length + sum(value.L, valueSize);
  if (value.M) return 3 + Object.keys(value.M).length + itemSize(value.M);
  return 1;
}

function numberSize(text: string): number {
  const { sign, digits } = parseNumber(text);
  return Math.ceil(digits.length / 2) + 1 + (sign < 0 ? 1 : 0);
}

function sum<Element>(elements: Element[], size: (element: Element) => number): number {
  return elements.reduce((total, element) => total + size(element), 0);
}
