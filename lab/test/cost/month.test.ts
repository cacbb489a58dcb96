import { expect, test } from '@jest/globals';
import { fixedCosts, STACK } from '../../../infra/cost/fixed-costs.ts';
import { ASSUMED } from '../../../tools/cost/assumptions.ts';
import { billOf, type Counted, NOTHING, totalOf } from '../../../tools/cost/bill.ts';
import { monthOf } from '../../cost/model/month.ts';

const READ = { ...NOTHING, requests: 1, readUnits: 1 };
const WRITE = { ...NOTHING, requests: 1, writeUnits: 5 };
const DEPLOYED = { observability: 'full', firewall: false, closed: false, program: false } as const;
const counted = { eventsLine: 0, sweep: NOTHING };
const how = { assumed: ASSUMED, deployed: DEPLOYED };
const each = (one: Counted) => totalOf(billOf(one, ASSUMED, 0));
const mix = { reads: [[READ, 1]], writes: [[WRITE, 1]] } as const;

test('a month has the costs of reads, writes, storage and the fixed costs', () => {
  const month = { requests: 1000, read: 0.9, gigabytes: 10, objectGigabytes: 100 };
  const bill = monthOf(month, mix, counted, how);
  expect(bill.requests).toBeCloseTo(900 * each(READ) + 100 * each(WRITE));
  // 10 GB in a table and four indexes, recovery of the table, 100 GB of objects.
  expect(bill.storage).toBeCloseTo(50 * 0.25 + 10 * 0.2 + 100 * 0.023);
  expect(bill.total).toBeCloseTo(bill.requests + bill.storage + bill.fixed);
});

test('a month without requests has the fixed costs of a stack', () => {
  const bill = monthOf({ requests: 0, read: 0.9, gigabytes: 0, objectGigabytes: 0 }, mix, counted, how);
  expect(bill.total).toBe(bill.fixed);
  expect(bill.fixed).toBeGreaterThan(STACK.alarmMetrics * 0.1);
});

test('the fixed costs equal a calculation by hand', () => {
  const costs = fixedCosts({ observability: 'full', firewall: true, closed: true, program: true }, 0.000001);
  const metrics = STACK.measuredFunctions * STACK.metricsEach + STACK.refusalMetrics;
  expect(costs['metrics of each resource']).toBeCloseTo(metrics * 0.3);
  expect(costs.alarms).toBeCloseTo(STACK.alarmMetrics * 0.1 + STACK.compositeAlarms * 0.5);
  expect(costs.dashboard).toBe(3);
  expect(costs['`program`, a client of the user pool']).toBe(6);
  expect(costs.WAF).toBe(9);
  // Five requests of 20 s at each queue: 657,000 a month.
  expect(costs['asking empty queues']).toBeCloseTo((STACK.queues * 657_000 * 0.4) / 1_000_000);
  // 43,800 minutes.
  expect(costs['sweeper, each minute']).toBeCloseTo(0.0438);
});

test('parts that are not deployed cost nothing', () => {
  const costs = fixedCosts({ ...DEPLOYED, observability: 'none' }, 0);
  expect(costs).toMatchObject({
    'metrics of each resource': 0,
    alarms: 0,
    dashboard: 0,
    '`program`, a client of the user pool': 0,
    WAF: 0,
  });
});
