import type { BinaryField } from '../description/field-facts.ts';
import { type Kind, unchanged } from './kind.ts';

/** Bytes. The item names them in attributes of their own: shared/store/binaries. */
export const binaryKind: Kind<BinaryField> = { attribute: 'none', ofText: unchanged, stored: unchanged };
