import type { Field } from '../description/description.ts';
import { anyKind } from './any.ts';
import { arrayOf } from './array.ts';
import { binaryKind } from './binary.ts';
import { booleanKind } from './boolean.ts';
import type { Kind } from './kind.ts';
import { decimalKind } from './numbers/decimal.ts';
import { integerKind } from './numbers/integer.ts';
import { structureOf } from './structure.ts';
import { textKind } from './text.ts';
import { dateKind } from './times/date.ts';
import { dateTimeKind } from './times/date-time.ts';
import { timestampKind } from './times/timestamp.ts';

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
  binary: binaryKind,
} satisfies { readonly [Name in Field['kind']]: Kind<Extract<Field, { kind: Name }>> };

/** The kind of a field. */
export function kindOf({ kind }: Field): Kind {
  return KINDS[kind];
}
