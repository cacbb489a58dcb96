import { Decimal } from '../../shared/json/decimal.ts';
import type { Field } from '../../shared/resource/description/description.ts';

/** A value as an input has it. Source: HTML Living Standard §2.3.5.5, valid local date and time string. */
export function textOf(value: unknown, field: Field | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean' && field?.kind === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object' && !(value instanceof Decimal)) return linesOf(value);
  if (field?.kind === 'dateTime') return String(value).replace(/(?:(?::00)?\.000)?Z$/, '');
  return value instanceof Decimal ? value.canonical().text : String(value);
}

/** The lines of an array or an object; its JSON text if a value is more than a line. */
function linesOf(value: object): string {
  const isLine = (one: unknown) =>
    typeof one === 'string' ? !/[\n\r]/.test(one) : typeof one !== 'object' || one instanceof Decimal;
  if (!Object.values(value).every(isLine)) return JSON.stringify(value);
  const lines = Array.isArray(value)
    ? value.map((one) => textOf(one, undefined))
    : Object.entries(value).map(([name, one]) => `${name}: ${textOf(one, undefined)}`);
  return lines.join('\n');
}
