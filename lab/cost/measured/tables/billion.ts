import { table } from '../../../table.ts';
import { ASSUMED } from '../../model/assumptions.ts';
import { billOf, type Counted, totalOf } from '../../model/bill.ts';
import { usd } from '../../model/dollars.ts';
import { INDEXES } from '../../model/month.ts';
import { dollars, GIGABYTE } from '../../model/prices.ts';
import { ITEM_BYTES, PARTITION_WRITES, SHARDS } from '../../model/shards.ts';
import { kindOf } from '../mix.ts';
import type { Counts } from '../requests.ts';

const MILLION = 1_000_000;
const BILLION = 1000 * MILLION;
/** Bytes that DynamoDB adds to each stored item. Source: Amazon DynamoDB pricing. */
const OVERHEAD = 100;
/** Assumed factor by which compression reduces items in files. */
const COMPRESSED = 5;

const rounded = (value: number): string => Math.round(value).toLocaleString('en');

/** The cost of a billion items: storage, creation, removal and reading. */
export function billionTable(counts: Counts): string {
  const rows: string[][] = [];
  const add = (name: string, amount: string, cost: number, per: 'a month' | 'once') =>
    rows.push([name, amount, `${usd(cost)} ${per}`]);
  const size = (BILLION * (ITEM_BYTES + OVERHEAD)) / GIGABYTE;
  const small = (BILLION * ITEM_BYTES) / GIGABYTE / COMPRESSED;
  const gigabytes = (value: number) => `${rounded(value)} GB`;
  const copies = 1 + INDEXES;
  add('keeping them in a table', gigabytes(size), dollars('itemStorage', size), 'a month');
  add('each further index', gigabytes(size), dollars('itemStorage', size), 'a month');
  add(
    `table and ${INDEXES} indexes`,
    gigabytes(size * copies),
    dollars('itemStorage', size * copies),
    'a month',
  );
  add(
    'point-in-time recovery, of the table alone',
    gigabytes(size),
    dollars('recoveryStorage', size),
    'a month',
  );
  add(
    'in files of S3 Standard, a fifth of the size',
    gigabytes(small),
    dollars('objectStorage', small),
    'a month',
  );
  add('the same in S3 Glacier', gigabytes(small), dollars('archiveStorage', small), 'a month');

  const cost = (one: Counted) => totalOf(billOf(one, ASSUMED, counts.eventsLine));
  const many = (name: string, each: number, title: string) => {
    const one = kindOf(counts, name);
    const times = BILLION / each;
    add(title, `${rounded((one.writeUnits * times) / MILLION)} M write units`, times * cost(one), 'once');
  };
  many('POST item', 1, 'creating them one by one');
  many('POST of 100 items', 100, 'creating them 100 at a time');
  many('DELETE of 100 items', 100, 'removing them 100 at a time');
  add(
    'events of one change of each',
    `${rounded(BILLION / MILLION)} M events`,
    dollars('events', BILLION),
    'once',
  );
  add(
    'one more index',
    `${rounded(BILLION / MILLION)} M write units`,
    dollars('writeUnits', BILLION),
    'once',
  );
  const pass = (BILLION * ITEM_BYTES) / 4096 / 2;
  add(
    'reading all of them, in pages or to count them',
    `${rounded(pass / MILLION)} M read units`,
    dollars('readUnits', pass),
    'once',
  );
  add(
    'exporting the table to S3, without a read unit',
    gigabytes(size),
    dollars('tableExport', size),
    'once',
  );
  return table(['a billion items of 400 bytes', 'amount', '$'], rows);
}

/** Hours to create a billion items, if the newest end of the index by creation is the bottleneck. */
export function hoursTable(): string {
  const rows = SHARDS.map((shards) => {
    const rate = shards * PARTITION_WRITES;
    return [String(shards), rounded(rate), (BILLION / rate / 3600).toFixed(1)];
  });
  return table(['shards', 'creations/s', 'hours for a billion'], rows);
}
