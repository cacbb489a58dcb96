import type { Limit } from '../limits.ts';
import { table } from '../table.ts';
import { type Figure, type Kind, type Measured, measured } from './measured.ts';

const HEADS: Readonly<Record<Kind, string>> = {
  health: '/health',
  item: 'GET item',
  list: 'list of 25',
  post: 'POST',
};

type Column = readonly [head: string, value: (figure: Figure) => number];
const RATE: Column = ['/s', ({ perSecond }) => perSecond];
const PROCESSOR: Column = ['µs CPU', ({ microseconds }) => microseconds];

/** A row for each server: the value of each kind, and its ratio to the first server. */
function compared(
  all: readonly Measured[],
  kinds: readonly Kind[],
  [unit, value]: Column,
  resident: boolean,
) {
  const [own] = all;
  const rows = all.map((one) => {
    if (one.kind === 'missing') return [one.peer.name, `not installed: needs ${one.needs}`];
    const cells = kinds.flatMap((kind) => {
      const figure = one.figures[kind];
      const reference = own?.kind === 'measured' ? own.figures[kind] : undefined;
      if (!figure || !reference) return ['', ''];
      return [value(figure).toFixed(0), (value(figure) / value(reference)).toFixed(2)];
    });
    return [one.peer.name, ...cells, ...(resident ? [one.resident.toFixed(0)] : [])];
  });
  const heads = [
    'server',
    ...kinds.flatMap((kind) => [`${HEADS[kind]}, ${unit}`, '×']),
    ...(resident ? ['resident MB after'] : []),
  ];
  return table(
    heads,
    rows.map((cells) => heads.map((_, at) => cells[at] ?? '')),
  );
}

const own = (all: readonly Measured[], kind: Kind): Figure => {
  const [first] = all;
  const figure = first?.kind === 'measured' ? first.figures[kind] : undefined;
  if (!figure) throw new Error(`The first server has no figures of ${kind}`);
  return figure;
};

const FEW = 1000;
const MANY = 100_000;

/** The servers: rates, processor time per request, lists of a large collection, and the differences of their work. */
export async function servers(): Promise<{
  rates: string;
  processor: string;
  large: string;
  differences: string;
  limits: readonly Limit[];
}> {
  const few = await measured(FEW, [
    { kinds: ['health', 'item', 'list'], rounds: 3 },
    { kinds: ['post'], rounds: 2 },
  ]);
  const many = await measured(MANY, [{ kinds: ['item', 'list'], rounds: 3 }]);
  const ratio = (all: readonly Measured[], kind: Kind, to: Kind) =>
    own(all, kind).microseconds / own(all, to).microseconds;
  return {
    rates: `${compared(few, ['item', 'list', 'post'], RATE, true)}\n\n${NOTE}`,
    processor: compared(few, ['health', 'item', 'list', 'post'], PROCESSOR, false),
    large: compared(many, ['item', 'list'], PROCESSOR, true),
    differences: table(
      ['server', 'work'],
      few.map(({ peer }) => [peer.name, peer.differs]),
    ),
    limits: [
      { what: 'npm start: CPU of an item ÷ /health', value: ratio(few, 'item', 'health'), most: 5 },
      { what: 'npm start: CPU of a list of 25 ÷ /health', value: ratio(few, 'list', 'health'), most: 9 },
      { what: 'npm start: CPU of a list of 25 ÷ an item', value: ratio(few, 'list', 'item'), most: 3 },
      {
        what: `npm start: CPU of a list of 25 ÷ an item, at ${MANY.toLocaleString('en')} items`,
        value: ratio(many, 'list', 'item'),
        most: 3,
      },
      { what: 'npm start: items a second', value: own(few, 'item').perSecond, least: 3000 },
      { what: 'npm start: lists of 25 a second', value: own(few, 'list').perSecond, least: 800 },
    ],
  };
}

/** The differences that a reader must know before comparing the servers. */
const NOTE = [
  `Each server has ${FEW.toLocaleString('en')} members. Ten connections of another process on this machine send the requests.`,
  'A server with threads on all processors therefore competes with its clients. Rates are the highest and processor times the lowest of several rounds of a second.',
].join(' ');
