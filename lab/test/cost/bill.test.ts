import { describe, expect, test } from '@jest/globals';
import { GIGABYTE } from '../../../infra/cost/prices.ts';
import {
  ACCESS_LINE,
  ASSUMED,
  type Assumptions,
  JUDGEMENT_LINE,
  lineBytes,
} from '../../../tools/cost/assumptions.ts';
import { billOf, type Counted, NOTHING, PARTS, totalOf } from '../../../tools/cost/bill.ts';

const MILLION = 1_000_000;
const EVENTS_LINE = 600;

/** Numbers for calculations by hand. */
const PLAIN: Assumptions = {
  ...ASSUMED,
  knownCallers: 1,
  ownMs: 4,
  callMs: { dynamodb: 6, s3: 20, sqs: 10, eventbridge: 15 },
  coldShare: 0,
  gatewayBytes: 0,
};

const request = (more: Partial<Counted> = {}): Counted => ({
  ...NOTHING,
  requests: 1,
  invocations: [{ memoryMb: 512, waits: { dynamodb: 1 }, logBytes: 1000 }],
  ...more,
});

/** US dollars per million. */
const million = (counted: Counted, assumed = PLAIN) => {
  const bill = billOf(counted, assumed, EVENTS_LINE);
  return Object.fromEntries(PARTS.map((part) => [part, bill[part] * MILLION]));
};

describe('the bill of a million requests', () => {
  test('has 3.50 (API), 0.20 + 512 MB × 10 ms (function) and 0.125 (read unit) for GET of an item', () => {
    const bill = million(request({ readUnits: 1 }));
    expect(bill['API Gateway']).toBeCloseTo(3.5);
    // 0.5 GB × 0.010 s × 1,000,000 = 5000 GB-s
    expect(bill.Lambda).toBeCloseTo(0.2 + 5000 * 0.0000133334);
    expect(bill['DynamoDB reads']).toBeCloseTo(0.125);
    expect(bill['DynamoDB writes']).toBe(0);
    expect(bill.logs).toBeCloseTo((0.5 * (1000 + lineBytes(ACCESS_LINE)) * MILLION) / GIGABYTE, 10);
    expect(bill.authorizer).toBe(0);
  });

  test('has 0.625 for each write unit', () => {
    expect(million(request({ writeUnits: 12 }))['DynamoDB writes']).toBeCloseTo(7.5);
  });

  test('has 5.00 for a PUT and 0.40 for a GET of S3', () => {
    expect(million(request({ objectWrites: 1, objectReads: 2 })).S3).toBeCloseTo(5.8);
  });

  test('has 0.40 for a request of SQS and 0.10 more for one with a group', () => {
    expect(million(request({ messages: 3, fairMessages: 3 })).SQS).toBeCloseTo(1.5);
    expect(million(request({ messages: 3 })).SQS).toBeCloseTo(1.2);
  });

  test('has 0.09 for a GB of data out', () => {
    expect(billOf(request({ bytesOut: GIGABYTE }), PLAIN, 0)['data out']).toBeCloseTo(0.09);
  });

  test('has 1.00 for an event on the bus, an invocation of 256 MB × 19 ms and its log', () => {
    const lambda = 0.2 + 0.25 * 0.019 * MILLION * 0.0000133334;
    const logs = (0.5 * EVENTS_LINE * MILLION) / GIGABYTE;
    expect(million(request({ handovers: 1, events: 1 })).events).toBeCloseTo(1 + lambda + logs, 8);
  });

  test('has ten calls of one invocation for a hundred events that arrive together', () => {
    const lambda = 0.2 + 0.25 * 0.154 * MILLION * 0.0000133334;
    const logs = (0.5 * EVENTS_LINE * MILLION) / GIGABYTE;
    expect(million(request({ handovers: 1, events: 100 })).events).toBeCloseTo(100 + lambda + logs, 8);
  });

  test("has the function's invocations and no bus for changes without events", () => {
    const cost = million(request({ handovers: 1, events: 0 })).events as number;
    expect(cost).toBeGreaterThan(0.2);
    expect(cost).toBeLessThan(1);
  });

  test("has the authorizer for callers that API Gateway's cache has lost", () => {
    const known = { ...PLAIN, knownCallers: 0.9 };
    const lambda = 0.2 + 0.5 * 0.004 * MILLION * 0.0000133334;
    const logs = (0.5 * lineBytes(JUDGEMENT_LINE) * MILLION) / GIGABYTE;
    expect(million(request(), known).authorizer).toBeCloseTo(0.1 * (lambda + logs), 8);
    expect(million(request(), { ...known, authorized: false }).authorizer).toBe(0);
  });

  test('has 0.60 for WAF and 5.00 for traced requests of X-Ray if they are on', () => {
    expect(million(request(), { ...PLAIN, firewall: true }).WAF).toBeCloseTo(0.6);
    expect(million(request(), { ...PLAIN, tracing: true, traced: 0.05 })['X-Ray']).toBeCloseTo(0.25);
    expect(million(request())).toMatchObject({ WAF: 0, 'X-Ray': 0 });
  });
});

test('has whole milliseconds with a share of the cold starts', () => {
  const cold = { ...PLAIN, coldShare: 0.001, startMs: 400 };
  // 10.4 ms are billed as 11.
  expect(million(request(), cold).Lambda).toBeCloseTo(0.2 + 0.5 * 0.011 * MILLION * 0.0000133334);
});

test('is a quarter higher per second for x86_64', () => {
  const seconds = (architecture: 'arm64' | 'x86_64') =>
    (million(request(), { ...PLAIN, architecture }).Lambda as number) - 0.2;
  expect(seconds('x86_64') / seconds('arm64')).toBeCloseTo(1.25, 3);
});

test('has the sum of the parts as total', () => {
  const bill = billOf(
    request({ readUnits: 1, writeUnits: 5, handovers: 1, events: 1 }),
    ASSUMED,
    EVENTS_LINE,
  );
  expect(totalOf(bill)).toBeCloseTo(
    Object.values(bill).reduce((sum, one) => sum + one, 0),
    12,
  );
});
