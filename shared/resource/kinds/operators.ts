/** The order of a property and the value of a filter: less, equal or greater. */
type Order = -1 | 0 | 1;

/** What an operator of filters does. Parameters, plans, forms and the API description follow from it. */
interface OperatorFacts {
  /** The ending of the parameter: `age.gte=18`. Undefined: the parameter is the name of the property alone. */
  readonly suffix: string | undefined;
  /**
   * `values`: the property equals one of several values. `range`: it lies in a range, which one value defines. `words`:
   * no order has these items together.
   */
  readonly picks: 'values' | 'range' | 'words';
  /** The orders that meet the filter. `beginning`: the text begins with the value. `words`: it contains each value. */
  readonly accepts: readonly Order[] | 'beginning' | 'words';
}

const facts = <Suffix extends string | undefined>(
  suffix: Suffix,
  picks: OperatorFacts['picks'],
  accepts: OperatorFacts['accepts'],
): OperatorFacts & { readonly suffix: Suffix } => ({ suffix, picks, accepts });

/** The operators of filters. Source: Specification 4.12 to 4.14. */
export const OPERATORS = {
  '=': facts(undefined, 'values', [0]),
  '>=': facts('gte', 'range', [0, 1]),
  '>': facts('gt', 'range', [1]),
  '<=': facts('lte', 'range', [-1, 0]),
  '<': facts('lt', 'range', [-1]),
  prefix: facts('prefix', 'range', 'beginning'),
  words: facts('words', 'words', 'words'),
};

/** How a property compares with the values of a filter. */
export type Operator = keyof typeof OPERATORS;

/** The endings of the parameters that compare a property. */
export type Suffix = NonNullable<(typeof OPERATORS)[Operator]['suffix']>;

const ALL = Object.keys(OPERATORS) as Operator[];

/** Returns the operator with this ending; undefined for any other text. */
export const operatorOf = (suffix: string | undefined): Operator | undefined =>
  ALL.find((one) => OPERATORS[one].suffix === suffix);

/** True if the operator compares with values one by one. False if it selects a range. */
export const picksValues = (operator: Operator): boolean => OPERATORS[operator].picks === 'values';

/** True if one end of the order decides: without `sort`, the property of the filter is the order of the list. */
export const picksRange = (operator: Operator): boolean => OPERATORS[operator].picks === 'range';

/** The operators of texts in addition to `=`. */
export const TEXTUAL: readonly Operator[] = ALL.filter((one) => !picksValues(one));

/** The operators of other values that have an order, in addition to `=`. */
export const ORDERED: readonly Operator[] = TEXTUAL.filter(
  (one) => typeof OPERATORS[one].accepts !== 'string',
);

/** The text without case and without marks: `Café` becomes `cafe`. Source: Unicode Standard Annex #15, form NFKD. */
export const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
