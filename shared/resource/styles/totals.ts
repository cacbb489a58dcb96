import type { Action } from '../actions/action.ts';
import { anyValue, array, integer, structure, text, timestamp } from '../description/fields.ts';
import type { Endpoint, Route } from '../route.ts';

/** The actions that count and sum the items of a list, and of a list below an item of another resource. */
export interface TotalsActions {
  readonly all: Action<'totals'>;
  readonly below: Action<'totalsBelow'>;
}

/** The parameters of totals. A client can repeat them, or write commas. */
export const TOTALS_PARAMETERS = {
  by: text('At most two fields whose equal values make one row', { example: 'status', seldom: true }),
  sum: text('Number fields to sum', { example: 'orderValue', seldom: true }),
  min: text('Number fields whose least value to find', { example: 'orderValue', seldom: true }),
  max: text('Number fields whose largest value to find', { example: 'orderValue', seldom: true }),
};

const numbers = (label: string) => anyValue(label, { types: ['object'], help: 'A number for each field.' });

const ROWS = {
  items: structure(
    'Rows',
    {
      count: integer('Number of items', { example: 2 }),
      sum: numbers('Sums'),
      min: numbers('Least values'),
      max: numbers('Largest values'),
    },
    { several: true, open: true, required: ['count'] },
  ),
  by: array('Fields that make the rows', text('Field', { example: 'status' })),
  asOf: timestamp('Last counted change', {
    example: '2026-11-21T10:10:29.113Z',
    help: 'Only of totals that the service keeps.',
  }),
};

const endpoint = {
  content: 'none',
  shape: 'document',
  hasRows: true,
  hasFilters: true,
  summary: 'Count and sum the items',
  about: 'One row for all items, or one for each value of `by`.',
  parameters: Object.keys(TOTALS_PARAMETERS),
  fields: ROWS,
  required: ['items', 'by'],
} as const;

/** Returns the totals of a list. */
export const totals = (path: string, run: Action<'totals'>): Route[] => [
  { path: `${path}/totals`, endpoints: { GET: { ...endpoint, id: 'totals', takes: 'totals', run } } },
];

/** Returns the totals of a list below an item of another resource. `parent`: returns `missing` without that item. */
export const nestedTotals = (
  path: string,
  parent: NonNullable<Endpoint['parent']>,
  run: Action<'totalsBelow'>,
): Route[] => [
  {
    path: `${path}/totals`,
    endpoints: {
      GET: {
        ...endpoint,
        id: 'totals',
        takes: 'totalsBelow',
        parent,
        run: async (input) => {
          const [outcome, above] = await Promise.all([run(input), parent(input)]);
          return above.kind === 'missing' ? above : outcome;
        },
      },
    },
  },
];
