import type { Fault } from '../../../http/problem.ts';
import { type Request, spelling } from '../../../http/request.ts';
import { type Reader, type Sight, sightOf } from '../../../resource/access/sight.ts';
import type { Field, FilterValues, Scalar } from '../../../resource/description/description.ts';
import { namesReadBy } from '../../../resource/description/values.ts';
import { kindOf } from '../../../resource/kinds/kinds.ts';
import { type Operator, picksValues } from '../../../resource/kinds/operators.ts';
import { type Filter, suffixesOf, visibleScalars } from '../../../resource/lists/filter.ts';
import { comparisonOf } from '../../../resource/lists/filter-parameter.ts';
import type { Resource } from '../../../resource/resource.ts';

/** Values in all filters of a request. */
export const MAXIMUM_VALUES = 500;

/** The parameters of lists and items. */
const OF_LISTS = ['limit', 'offset', 'sort', 'order', 'after', 'fields', 'expand'];

/**
 * Why an unknown parameter can be nothing but a mistake: it is another spelling of a known one, or it has the grammar of a
 * filter without being one. Undefined: another parameter. `known`: the parameters of the request. `reader`: present if they
 * have the filters of a list beside them.
 *
 * Source: Specification 4.13, 4.21.
 */
export function misspelt(
  resource: Resource,
  parameter: string,
  known: ReadonlySet<string>,
  reader: Reader | undefined,
): string | undefined {
  // Other services write `price[gte]` and `name[]`.
  const [base = '', ...endings] = spelling(parameter)
    .replaceAll('[', '.')
    .replaceAll(']', '')
    .replace(/\.$/, '')
    .split('.');
  const meant = [...known].find((one) => spelling(one) === base);
  if (meant) return `is not a parameter of this request: use ${meant}`;
  if (base !== parameter && OF_LISTS.includes(base)) return 'is not a parameter of this request';
  const { description, filters } = resource;
  if (!description || !reader) return undefined;
  const sight = sightOf(description, reader);
  const derived = Object.entries(sight.description.fields).find(([one]) => one.toLowerCase() === base)?.[1];
  if (derived?.atReading) return atReadingAdvice(derived.atReading, sight);
  const fields = visibleScalars(sight);
  const visible = Object.keys(filters).filter((one) => comparisonOf(resource, one, reader));
  const names = [...new Set(['id', ...visible, ...Object.keys(fields)])];
  const name = names.find((one) => spelling(one) === base);
  const filter = [name, ...endings].join('.');
  const use = (...right: string[]) => `is not a filter of this list: use ${right.join(', ')}`;
  if (comparisonOf(resource, filter, reader)) return use(filter);
  if (!/[.[]/.test(parameter)) return undefined;
  const field = name && fields[name];
  if (name) return use(name, ...(field ? suffixesOf(field).map((suffix) => `${name}.${suffix}`) : []));
  const near = names.filter((one) => spelling(one).startsWith(base) || endings.includes(spelling(one)));
  return use(...(near.length > 0 ? near : names));
}

/** Returns why no list sorts or filters by a value that each response computes. Source: Specification 2.58. */
export function atReadingAdvice(of: NonNullable<Field['atReading']>, { description }: Sight): string {
  const seen = namesReadBy(of).filter((name) => Object.hasOwn(description.fields, name));
  return `is computed for each response: use ${seen.join(', ') || 'a stored property'}`;
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
