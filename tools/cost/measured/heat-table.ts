import { table } from '../../bench/table.ts';
import type { Heat } from '../model/heat.ts';
import { pageUnits, SHARDS, simulate } from '../model/simulation.ts';

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const shown = ({ partitions, hottest, rate }: Heat): string[] => [
  String(partitions),
  `${(hottest * 100).toFixed(1)} %`,
  whole(rate),
];

/** The result of the simulation for each workload and number of shards. */
export function heatTable(): string {
  const rows = simulate().map(({ workload, on, shards, fresh, settled }) => [
    workload,
    on,
    shards === undefined ? '' : String(shards),
    ...shown(fresh),
    ...shown(settled),
  ]);
  const heads = ['partitions', 'hottest', 'requests/s'];
  return table(
    [
      'workload',
      'where',
      'shards',
      ...heads.map((one) => `new: ${one}`),
      ...heads.map((one) => `split: ${one}`),
    ],
    rows,
  );
}

/** The read units of a page for each number of shards. */
export function fanOutTable(): string {
  const limits = [25, 100, 1000];
  const rows = SHARDS.map((shards) => [
    String(shards),
    String(shards),
    ...limits.map((limit) => pageUnits(limit, shards).toLocaleString('en')),
  ]);
  return table(
    ['shards', 'queries of a page', ...limits.map((limit) => `read units of ${limit} items`)],
    rows,
  );
}
