import { Decimal } from '../../../json/decimal.ts';

/** Characters of a number in a text. */
const MAXIMUM_CHARACTERS = 1000;

/** The exact number that a text means; undefined if it means none. Source: RFC 8259 §6. */
export const numberIn = (text: string): Decimal | undefined =>
  text.length <= MAXIMUM_CHARACTERS ? Decimal.parse(text) : undefined;
