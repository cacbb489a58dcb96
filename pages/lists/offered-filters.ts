import type { Place } from '../../shared/representations/representation.ts';
import type { Reader } from '../../shared/resource/access/sight.ts';
import { sightOf } from '../../shared/resource/access/sight.ts';
import type { Field } from '../../shared/resource/description/description.ts';
import type { ResourceFacts } from '../../shared/resource/facts.ts';
import type { Operator } from '../../shared/resource/kinds/operators.ts';
import { visibleScalars } from '../../shared/resource/lists/filter.ts';
import { comparisonOf } from '../../shared/resource/lists/filter-parameter.ts';
import { descriptionOf } from '../../shared/resource/resource.ts';
import { labelOf } from '../markup.ts';

/** A filter that a list offers to people: a parameter of the list, with its label. */
export interface OfferedFilter {
  readonly parameter: string;
  readonly label: string;
  readonly field: Field;
}

/** The kinds of fields whose values are times. */
export const TIMES: readonly Field['kind'][] = ['timestamp', 'date', 'dateTime'];

/** How an operator compares, in words after the label of a field. */
const WORDS: Readonly<Record<Operator, string>> = {
  '=': ':',
  '>=': ' at least',
  '>': ' above',
  '<=': ' at most',
  '<': ' below',
  prefix: ' begins with',
  words: ' contains',
};

const TIME_WORDS: Readonly<Partial<Record<Operator, string>>> = {
  '>=': ' since',
  '<': ' before',
  '<=': ' until',
};

/** Returns how a filter of a field compares, in words after its label. */
export const wordsOf = (operator: Operator, { kind }: Field): string =>
  (TIMES.includes(kind) ? TIME_WORDS[operator] : undefined) ?? WORDS[operator];

/** Returns the endings of the parameters by which people filter a field. */
function endingsOf(field: Field): readonly string[] {
  if (field.kind === 'date') return ['.gte', '.lte'];
  if (TIMES.includes(field.kind)) return ['.gte', '.lt'];
  if (field.kind === 'decimal' || (field.kind === 'integer' && !field.isId)) return ['.gte', '.lte'];
  return field.kind === 'any' || (field.kind === 'text' && !field.choices) ? ['.words'] : [''];
}

/**
 * Returns the filters that the form of a list offers. The first one searches by the name of the items, or of the items
 * that their names begin with.
 */
export function filtersOf(
  resource: ResourceFacts,
  place: Reader,
): [OfferedFilter | undefined, ...OfferedFilter[]] {
  const description = descriptionOf(resource);
  const { title, identifier } = description;
  const lead = title ?? (identifier.kind === 'text' ? identifier.name : undefined);
  const shown = Object.entries(visibleScalars(sightOf(description, place))).flatMap(([name, field]) =>
    (field.coded ? [] : endingsOf(field)).flatMap((ending): OfferedFilter[] => {
      const parameter = name + ending;
      const comparison = comparisonOf(resource, parameter, place);
      if (!comparison) return [];
      const words = wordsOf(comparison.operator, field).replace(':', '');
      return [{ parameter, label: labelOf(description, name) + words, field }];
    }),
  );
  const related = Object.values(resource.relations).find(
    ({ field, find }) => find && Array.isArray(title) && title.includes(field),
  );
  const named = shown.find(({ parameter }) => parameter === (related?.field ?? `${lead}.words`));
  return [named, ...shown.filter((one) => one !== named)];
}

/** Returns the parameters of the query that filter the list. */
export const filtersInEffect = (resource: ResourceFacts, place: Place) =>
  [...place.query].flatMap(([parameter, values]) => {
    const comparison = values.some(Boolean) ? comparisonOf(resource, parameter, place) : undefined;
    return comparison ? [{ parameter, values, ...comparison }] : [];
  });

/** True if a filter is in effect. */
export const isFiltered = (resource: ResourceFacts, place: Place): boolean =>
  filtersInEffect(resource, place).length > 0;
