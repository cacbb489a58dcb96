/** Computes the tables of docs/cost.md about a billion items. */

import { table } from '../../../table.ts';
import { ASSUMED } from '../../model/assumptions.ts';
import { billOf, totalOf } from '../../model/bill.ts';
import { usd } from '../../model/dollars.ts';
import { INDEXES } from '../../model/month.ts';
import { dollars, GIGABYTE, type PriceName } from '../../model/prices.ts';
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
  const size = (BILLION * (ITEM_BYTES + OVERHEAD)) / GIGABYTE;
  const small = (BILLION * ITEM_BYTES) / GIGABYTE / COMPRESSED;
  const units = (BILLION * ITEM_BYTES) / 4096 / 2;
  const row = (name: string, amount: string, cost: number, per: string) => [
    name,
    amount,
    `${usd(cost)} ${per}`,
  ];
  /** Gigabytes for a month. */
  const kept = (name: string, price: PriceName, value: number, per = 'a month') =>
    row(name, `${rounded(value)} GB`, dollars(price, value), per);
  /** A number of units, once. */
  const used = (name: string, price: PriceName, value: number, unit: string) =>
    row(name, `${rounded(value / MILLION)} M ${unit}`, dollars(price, value), 'once');
  /** A number of requests of a kind, each with `each` items. */
  const many = (name: string, each: number, title: string) => {
    const one = kindOf(counts, name);
    const times = BILLION / each;
    const cost = times * totalOf(billOf(one, ASSUMED, counts.eventsLine));
    return row(title, `${rounded((one.writeUnits * times) / MILLION)} M write units`, cost, 'once');
  };
  const rows = [
    kept('keeping them in a table', 'itemStorage', size),
    kept('each further index', 'itemStorage', size),
    kept(`table and ${INDEXES} indexes`, 'itemStorage', size * (1 + INDEXES)),
    kept('point-in-time recovery, of the table alone', 'recoveryStorage', size),
    kept('in files of S3 Standard, a fifth of the size', 'objectStorage', small),
    kept('the same in S3 Glacier', 'archiveStorage', small),
    many('POST item', 1, 'creating them one by one'),
    many('POST of 100 items', 100, 'creating them 100 at a time'),
    many('DELETE of 100 items', 100, 'removing them 100 at a time'),
    used('events of one change of each', 'events', BILLION, 'events'),
    used('one more index', 'writeUnits', BILLION, 'write units'),
    used('reading all of them, in pages or to count them', 'readUnits', units, 'read units'),
    kept('exporting the table to S3, without a read unit', 'tableExport', size, 'once'),
  ];
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
