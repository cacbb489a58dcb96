import { Decimal } from '../../../json/decimal.ts';

const MAXIMUM_CHARACTERS = 1000;

/** In a query, a `+` that the client did not escape arrives as a space. Source: Specification 4.11. */
const WRITTEN = /^([+ -]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$/;

/**
 * The exact number that a text in a query means, as people write it: `+1`, `.5`, `1.`, `007`, `1e3`. Undefined if it
 * means none, or if its written exponent is beyond ±`exponents`. Source: Specification 1.20, 4.13.
 */
export function queryNumber(text: string, exponents = Number.POSITIVE_INFINITY): Decimal | undefined {
  if (text.length > MAXIMUM_CHARACTERS) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = WRITTEN.exec(text) ?? [];
  if (whole + fraction === '' || Math.abs(Number(exponent)) > exponents) return undefined;
  const integer = whole.replace(/^0+(?=.)/, '') || '0';
  return Decimal.parse(`${sign === '-' ? '-' : ''}${integer}.${fraction || '0'}e${exponent}`)?.canonical();
}
