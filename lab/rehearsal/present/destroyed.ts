import { deepStrictEqual, ok } from 'node:assert/strict';
import type { Check } from '../../../test/support/checks.ts';
import type { Template } from '../cdk.ts';
import { NOT_MADE, type There } from '../moto.ts';
import { type Deployed, ofType, physical } from './deployed.ts';

/** Checks that the stack is deleted and the retained resources still exist. */
export async function checkDestruction(
  check: Check,
  { template, there }: Deployed,
  after: There,
): Promise<void> {
  const kept = (type: string) =>
    ofType(template, type)
      .filter(([, { DeletionPolicy }]) => DeletionPolicy === 'Retain')
      .map(([id]) => physical(there, id))
      .sort();
  await check('destroyed: the stack, its functions and queues are gone', () => {
    deepStrictEqual([after.outputs, after.resources], [{}, {}]);
    deepStrictEqual([after.functions, after.queues], [{}, {}]);
  });
  await check('destroyed: only tables with data and the bucket remain', () => {
    const tables = ofType(template, 'AWS::DynamoDB::GlobalTable').map(([id]) => physical(there, id));
    const remaining = tables.filter((name) => after.tables[name]).sort();
    ok(remaining.length > 0);
    deepStrictEqual(remaining, kept('AWS::DynamoDB::GlobalTable'));
    for (const name of kept('AWS::S3::Bucket')) ok(after.buckets.includes(name));
  });
}

/** The resource types of the template that moto lacks, with a line for each. */
export function notMade(template: Template): string[] {
  return Object.entries(NOT_MADE)
    .map(([type, reason]) => ({ type, reason, count: ofType(template, type).length }))
    .filter(({ count }) => count > 0)
    .map(({ type, reason, count }) => `${count} × ${type}: ${reason}`);
}
