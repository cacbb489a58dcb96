import { table } from '../../table.ts';
import type { Limit } from '../limits.ts';
import { type Figure, type Kind, type Measured, measured } from './measured.ts';

const NAMES: Readonly<Record<Kind, string>> = {
  health: '/health',
  item: 'GET item',
  list: 'list of 25',
  page: 'list of 25 as HTML',
  post: 'POST',
};

const FEW = 1000;
const MANY = 20_000;

const figureOf = (figures: Measured, kind: Kind): Figure => {
  const figure = figures[kind];
  if (!figure) throw new Error(`${NAMES[kind]} was not measured`);
  return figure;
};

/** The rates and the processor time of `npm start`, with a small and with a large collection. */
export async function servers(): Promise<{ text: string; limits: readonly Limit[] }> {
  const few = await measured(FEW, [
    { kinds: ['health', 'item', 'list', 'page'], rounds: 3 },
    { kinds: ['post'], rounds: 2 },
  ]);
  const many = await measured(MANY, [{ kinds: ['health', 'item', 'list'], rounds: 3 }]);
  const ratio = (all: Measured, kind: Kind, to: Kind) =>
    figureOf(all, kind).microseconds / figureOf(all, to).microseconds;
  const rows = [
    { members: FEW, all: few },
    { members: MANY, all: many },
  ].flatMap(({ members, all }) =>
    (Object.keys(all) as Kind[]).map((kind) => {
      const { perSecond, microseconds } = figureOf(all, kind);
      return [
        members.toLocaleString('en'),
        NAMES[kind],
        perSecond.toFixed(0),
        microseconds.toFixed(0),
        ratio(all, kind, 'health').toFixed(2),
      ];
    }),
  );
  return {
    text: `${table(['members', 'request', '/s', 'µs CPU', '× /health'], rows)}\n\n${NOTE}`,
    limits: [
      { what: 'npm start: CPU of an item ÷ /health', value: ratio(few, 'item', 'health'), most: 5 },
      { what: 'npm start: CPU of a list of 25 ÷ /health', value: ratio(few, 'list', 'health'), most: 9 },
      { what: 'npm start: CPU of a list as HTML ÷ as JSON', value: ratio(few, 'page', 'list'), most: 3 },
      { what: 'npm start: CPU of a list of 25 ÷ an item', value: ratio(few, 'list', 'item'), most: 3 },
      {
        what: `npm start: CPU of a list of 25 ÷ an item, at ${MANY.toLocaleString('en')} items`,
        value: ratio(many, 'list', 'item'),
        most: 3,
      },
    ],
  };
}

/** The circumstances that a reader must know. */
const NOTE =
  'Ten connections of another process on this machine send the requests. Rates are the highest and processor times the lowest of several rounds of a second.';
