import type { Field } from '../description/description.ts';
import { anyKind } from './any.ts';
import { booleanKind } from './boolean.ts';
import { type Kind, keepValue } from './kind.ts';
import { decimalKind, integerKind } from './numbers.ts';
import { arrayOf, structureOf } from './structures.ts';
import { textKind } from './text.ts';
import { dateKind, dateTimeKind, timestampKind } from './times.ts';

/** All kinds of fields. A new kind needs a row here, and the compiler names the other places. */
const KINDS = {
  text: textKind,
  integer: integerKind,
  decimal: decimalKind,
  boolean: booleanKind,
  date: dateKind,
  dateTime: dateTimeKind,
  timestamp: timestampKind,
  any: anyKind,
  structure: structureOf(kindOf),
  array: arrayOf(kindOf),
  // The item names the bytes in attributes of their own: shared/store/binaries.
  binary: { attribute: 'none', ofText: keepValue, stored: keepValue },
} satisfies { readonly [Name in Field['kind']]: Kind<Extract<Field, { kind: Name }>> };

/** The kind of a field. */
export function kindOf({ kind }: Field): Kind {
  return KINDS[kind];
}
