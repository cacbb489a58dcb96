import { table } from '../table.ts';

/** A measured value and the most that it may be: a ratio of values of one run, or a size. */
export interface Limit {
  readonly what: string;
  readonly value: number;
  readonly most: number;
}

const shown = (value: number): string => (value < 100 ? value.toFixed(2) : value.toFixed(0));

/** The table of limits. It only reports: a busy machine must not fail a build. */
export const limitsTable = (limits: readonly Limit[]): string =>
  table(
    ['what', 'limit', 'value', 'met'],
    limits.map(({ what, value, most }) => [
      what,
      `at most ${most}`,
      shown(value),
      value <= most ? 'yes' : 'no',
    ]),
  );
