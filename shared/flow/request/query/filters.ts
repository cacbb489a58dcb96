import type { Fault } from '../../../http/problem.ts';
import type { Request } from '../../../http/request.ts';
import type { Reader } from '../../../resource/access/sight.ts';
import { sightOf } from '../../../resource/access/sight.ts';
import type { Field, FilterValues, Scalar } from '../../../resource/description/description.ts';
import { kindOf } from '../../../resource/kinds/kinds.ts';
import { type Operator, picksValues } from '../../../resource/kinds/operators.ts';
import { comparisonOf } from '../../../resource/lists/comparison.ts';
import { type Filter, visibleScalars } from '../../../resource/lists/filter.ts';
import type { Resource } from '../../../resource/resource.ts';

/** Values in all filters of a request. */
export const MAXIMUM_VALUES = 500;

/**
 * The filter of the list whose name differs from a parameter only in case; undefined if there is none.
 *
 * Source: Specification 4.13.
 */
export function misspelt(resource: Resource, parameter: string, reader: Reader): string | undefined {
  const { description, filters } = resource;
  if (!description) return undefined;
  const names = ['id', ...Object.keys(filters), ...Object.keys(visibleScalars(sightOf(description, reader)))];
  const [name, ...endings] = parameter.toLowerCase().split('.');
  const filter = [names.find((one) => one.toLowerCase() === name), ...endings].join('.');
  return comparisonOf(resource, filter, reader) && filter;
}

/**
 * Reads the filters of a list. Adds every fault to `faults`.
 *
 * Source: Specification 4.12 to 4.15.
 */
export function readFilters(
  resource: Resource,
  request: Pick<Request, 'query' | 'principal'>,
  faults: Fault[],
): Filter[] {
  const filters: Filter[] = [];
  let left = MAXIMUM_VALUES;
  for (const [parameter, sent] of request.query) {
    const comparison = comparisonOf(resource, parameter, request);
    if (!comparison) continue;
    const { name, field, operator } = comparison;
    if (!picksValues(operator) && sent.length > 1) {
      faults.push({ parameter, detail: 'must be given once' });
      continue;
    }
    const texts = picksValues(operator) ? [...new Set(sent.flatMap(listed))] : sent.map(unescaped);
    left -= texts.length;
    if (left < 0) {
      faults.push({ parameter, detail: `must have fewer values: a request can filter by ${MAXIMUM_VALUES}` });
      break;
    }
    const values: Scalar[] = [];
    for (const text of texts) {
      const value = readValue(field, operator, text);
      if ('fault' in value) {
        faults.push({ parameter, detail: value.fault });
        break;
      }
      values.push(...value.scalars);
    }
    filters.push({ field: name, operator, values: different(values) });
  }
  return filters;
}

/** The values without repetition: `1` and `1.0` are one number, and each would select its items. */
const different = (values: readonly Scalar[]): Scalar[] => [
  ...new Map(values.map((value) => [`${typeof value} ${value}`, value])).values(),
];

/** The values of a list with commas. `\,` is a comma inside a value. */
const listed = (text: string): string[] => text.split(/(?<!\\),/).map(unescaped);

const unescaped = (text: string): string => text.replaceAll('\\,', ',');

function readValue(field: Field, operator: Operator, text: string): FilterValues {
  const { comparing } = kindOf(field);
  if (comparing && (picksValues(operator) || comparing.operators.includes(operator)))
    return comparing.read(text, operator, field);
  return {
    fault: comparing?.operators.length
      ? 'compares texts only: use .gte, .gt, .lte or .lt'
      : 'has no order: compare it by equality',
  };
}
