import type { Fault } from '../../http/problem.ts';
import type { Request } from '../../http/request.ts';
import { Decimal } from '../../json/decimal.ts';
import { seesAuthors } from '../../resource/access.ts';
import type { Field } from '../../resource/description/fields.ts';
import { numberOfId } from '../../resource/description/values.ts';
import {
  type Filter,
  type Operator,
  type Scalar,
  SUFFIXES,
  scalarFields,
} from '../../resource/lists/filter.ts';
import type { Resource } from '../../resource/resource.ts';

/** Values in all filters of a request. */
export const MAXIMUM_VALUES = 500;
/** Characters of a number in a filter. */
const MAXIMUM_CHARACTERS = 1000;

const OPERATORS: ReadonlyMap<string, Operator> = new Map(Object.entries(SUFFIXES));

/** The meaning of a filter's parameter, before its values: a property and an operator. */
export interface Comparison {
  readonly name: string;
  readonly field: Field;
  readonly operator: Operator;
}

/**
 * The comparison of a parameter; undefined if it is no filter of the list. `id` names the identifier of every resource.
 * `withAuthors`: the caller can filter by the authors of items.
 *
 * Source: Specification 4.12, 4.14, 4.15, 4.25.
 */
export function comparisonOf(
  { description, filters }: Pick<Resource, 'description' | 'filters'>,
  parameter: string,
  withAuthors: boolean,
): Comparison | undefined {
  if (!description) return undefined;
  const text = Object.hasOwn(filters, parameter) ? filters[parameter] : parameter;
  const [written = '', suffix, more] = text?.split('.') ?? [];
  const name = written === 'id' ? description.identifier.name : written;
  const operator = suffix === undefined ? '=' : more === undefined ? OPERATORS.get(suffix) : undefined;
  const fields = scalarFields(description, withAuthors);
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return field && operator && { name, field, operator };
}

/**
 * Reads the filters of a list. Adds every fault to `faults`.
 *
 * Source: Specification 4.12 to 4.15.
 */
export function readFilters(
  resource: Resource,
  { query, principal }: Pick<Request, 'query' | 'principal'>,
  faults: Fault[],
): Filter[] {
  const withAuthors = seesAuthors(principal);
  const filters: Filter[] = [];
  let left = MAXIMUM_VALUES;
  for (const [parameter, sent] of query) {
    const comparison = comparisonOf(resource, parameter, withAuthors);
    if (!comparison) continue;
    const { name, field, operator } = comparison;
    if (operator !== '=' && sent.length > 1) {
      faults.push({ parameter, detail: 'must be given once' });
      continue;
    }
    const texts = operator === '=' ? [...new Set(sent.flatMap(listed))] : sent.map(unescaped);
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

/** The request without empty filters: a browser sends every input of a form. */
export const withoutBlanks = (resource: Resource, request: Request): Request => ({
  ...request,
  query: new Map(
    [...request.query].filter(
      ([name, values]) =>
        values.some((value) => value !== '') || !comparisonOf(resource, name, seesAuthors(request.principal)),
    ),
  ),
});

/** The values without repetition: `1` and `1.0` are one number, and each would select its items. */
const different = (values: readonly Scalar[]): Scalar[] => [
  ...new Map(values.map((value) => [`${typeof value} ${value}`, value])).values(),
];

/** The values of a list with commas. `\,` is a comma inside a value. */
const listed = (text: string): string[] => text.split(/(?<!\\),/).map(unescaped);

const unescaped = (text: string): string => text.replaceAll('\\,', ',');

type Read = { readonly scalars: readonly Scalar[] } | { readonly fault: string };

function readValue(field: Field, operator: Operator, text: string): Read {
  if (field.kind === 'text') {
    const { choices } = field;
    if (operator !== '=' || !choices || choices.includes(text)) return { scalars: [text] };
    return { fault: `must be one of ${choices.join(', ')}` };
  }
  if (field.kind === 'any') {
    // The property can be a text or a number. In the order of values, a number is a number.
    const number = operator === 'prefix' ? undefined : readNumber(text);
    return { scalars: number ? (operator === '=' ? [text, number] : [number]) : [text] };
  }
  if (operator === 'prefix') return { fault: 'compares texts only: use .gte, .gt, .lte or .lt' };
  const isId = field.kind === 'integer' && field.isId === true;
  if (isId) {
    const number = numberOfId(text);
    return typeof number === 'number'
      ? { scalars: [Decimal.from(number)] }
      : { fault: 'must be a whole number below 2^53, without leading zeros' };
  }
  const number = field.kind === 'timestamp' ? readTime(text) : readNumber(text);
  if (!number)
    return {
      fault: field.kind === 'timestamp' ? 'must be a time of RFC 3339, or a date' : 'must be a number',
    };
  return field.kind === 'integer' && !number.isInteger
    ? { fault: 'must be a whole number' }
    : { scalars: [number.canonical()] };
}

const readNumber = (text: string): Decimal | undefined =>
  text.length <= MAXIMUM_CHARACTERS ? Decimal.parse(text) : undefined;

const TIME = /^(\d{4}-\d\d-\d\d)(?:[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,12}))?([Zz]|[+ -]\d\d:\d\d))?$/;

/**
 * A time in ms since the epoch, exact also below 1 ms; undefined if it is malformed. A date is its start in UTC. A `+`
 * arrives as a space. Source: RFC 3339 §5.6; Specification 4.11.
 */
function readTime(text: string): Decimal | undefined {
  const [, date = '', time = '00:00:00', fraction = '', zone = 'Z'] = TIME.exec(text) ?? [];
  const start = Date.parse(`${date}T00:00:00Z`);
  const ms = Date.parse(`${date}T${time}${zone.toUpperCase().replace(' ', '+')}`);
  // Some dates, such as 30 February, count as a later one.
  if (Number.isNaN(ms) || !new Date(start).toISOString().startsWith(date)) return undefined;
  return Decimal.from(ms).plus(Decimal.parse(`0.${fraction || 0}`)?.times(Decimal.from(1000)) as Decimal);
}
