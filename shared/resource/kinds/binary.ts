import type { BinaryField } from '../description/field-facts.ts';
import { type Kind, keepValue } from './kind.ts';

/** Bytes. The item names them in attributes of their own: shared/store/binaries. */
export const binaryKind: Kind<BinaryField> = { attribute: 'none', ofText: keepValue, stored: keepValue };
