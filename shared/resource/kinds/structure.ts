import type { StructureField } from '../description/fields.ts';
import { type Kind, unchanged } from './kind.ts';

/** A property with properties of its own. */
export const structureKind: Kind<StructureField> = {
  attribute: 'json',
  ofText: unchanged,
  stored: unchanged,
};
