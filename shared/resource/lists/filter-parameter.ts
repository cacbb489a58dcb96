import type { Reader } from '../access/sight.ts';
import { sightOf } from '../access/sight.ts';
import type { Description, Field, Fields } from '../description/description.ts';
import type { ResourceFacts } from '../facts.ts';
import { type Operator, operatorOf } from '../kinds/operators.ts';
import { visibleScalars } from './filter.ts';

/** The meaning of a filter's parameter, before its values: a property and an operator. */
export interface Comparison {
  readonly name: string;
  readonly field: Field;
  readonly operator: Operator;
}

/**
 * The comparison of a parameter; undefined if it is not a filter of the list, or if the reader does not see its property.
 *
 * Source: Specification 4.12, 4.25, 11.15; decision 57.
 */
export const comparisonOf = (
  { description, filters }: Pick<ResourceFacts, 'description' | 'filters'>,
  parameter: string,
  reader: Reader,
): Comparison | undefined =>
  description &&
  comparisonIn({ description, filters }, parameter, visibleScalars(sightOf(description, reader)));

/**
 * Returns the comparison of a parameter with one of the fields; undefined for another parameter. `id` names the
 * identifier of every resource.
 *
 * Source: Specification 4.12, 4.14, 4.15, 4.25.
 */
export function comparisonIn(
  { description, filters }: Pick<ResourceFacts, 'filters'> & { readonly description: Description },
  parameter: string,
  fields: Fields,
): Comparison | undefined {
  const text = Object.hasOwn(filters, parameter) ? filters[parameter] : parameter;
  const [written = '', suffix, more] = text?.split('.') ?? [];
  const name = written === 'id' ? description.identifier.name : written;
  const operator = more === undefined ? operatorOf(suffix) : undefined;
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return field && operator && { name, field, operator };
}
