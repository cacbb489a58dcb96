import type { BooleanField } from '../description/field-facts.ts';
import type { Kind } from './kind.ts';

/** The texts that mean true or false. Source: XML Schema 1.1 Part 2 §3.3.2; `yes` and `no` are those of forms. */
const MEANINGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  ['yes', true],
  ['no', false],
]);

/** True or false. False sorts before true. */
export const booleanKind: Kind<BooleanField> = {
  attribute: 'boolean',
  comparing: {
    operators: [],
    read(text) {
      const value = MEANINGS.get(text);
      return value === undefined ? { fault: 'must be true or false' } : { scalars: [value] };
    },
  },
  ofText: (text) => MEANINGS.get(text.trim().toLowerCase()) ?? text,
  stored: (value) => value,
};
