import { table } from '../table.ts';

/** A measured value with the most or the least that it may be. */
export type Limit = { readonly what: string; readonly value: number } & (
  | { readonly most: number }
  | { readonly least: number }
);

const shown = (value: number): string => (value < 100 ? value.toFixed(2) : value.toFixed(0));

/** The table of limits. It only reports: a busy machine must not fail a build. */
export const limitsTable = (limits: readonly Limit[]): string =>
  table(
    ['what', 'limit', 'value', 'met'],
    limits.map((limit) =>
      'most' in limit
        ? [limit.what, `at most ${limit.most}`, shown(limit.value), limit.value <= limit.most ? 'yes' : 'no']
        : [
            limit.what,
            `at least ${limit.least}`,
            shown(limit.value),
            limit.value >= limit.least ? 'yes' : 'no',
          ],
    ),
  );
