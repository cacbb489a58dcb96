import type { Field, Fields, Stored } from './fields.ts';

/**
 * A property with properties of its own. It is stored as one JSON text. `open`: it may have undeclared properties. A
 * closed one ignores them.
 */
export interface StructureField extends Stored {
  readonly kind: 'structure';
  readonly fields: Fields;
  readonly required: readonly string[];
  readonly open?: boolean;
  /** The value is an array of such objects. */
  readonly several?: boolean;
}

/** An array of values of one field: from `minimum` to `maximum` of them. It is stored as one JSON text. */
export interface ArrayField extends Stored {
  readonly kind: 'array';
  readonly of: Field;
  readonly minimum?: number;
  readonly maximum: number;
}

/** A property with properties of its own, which the service sets. */
export const structure = (
  label: string,
  fields: Fields,
  options: Partial<Omit<StructureField, 'kind' | 'label' | 'fields'>> = {},
): StructureField => ({
  kind: 'structure',
  label,
  fields,
  server: true,
  required: Object.keys(fields),
  ...options,
});

/** A property with properties of its own, which clients set, such as an address. `required`: those it must have. */
export const object = (
  label: string,
  fields: Fields,
  options: Partial<Omit<StructureField, 'kind' | 'label' | 'fields' | 'server'>> = {},
): StructureField => ({ kind: 'structure', label, fields, required: [], ...options });

/** An array of values of one kind, such as `array('Tags', text('Tag'))`. It has at most 1,000 without `maximum`. */
export const array = (
  label: string,
  of: Field,
  options: Partial<Omit<ArrayField, 'kind' | 'label' | 'of'>> = {},
): ArrayField => ({ kind: 'array', label, of, maximum: 1000, ...options });
