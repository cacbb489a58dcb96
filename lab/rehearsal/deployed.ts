import { deepStrictEqual, ok } from 'node:assert/strict';
import type { Check } from '../checks.ts';
import type { Declared, Template } from './cdk.ts';
import { NOT_MADE, type There } from './moto.ts';

/** A template and the resources that moto created from it. */
export interface Deployed {
  readonly template: Template;
  readonly there: There;
}

/** The resources of a type, by logical id. */
const ofType = ({ Resources }: Template, type: string): [id: string, declared: Declared][] =>
  Object.entries(Resources).filter(([, { Type }]) => Type === type);

/** The physical id of a resource of the template. */
const physical = ({ resources }: There, id: string): string => {
  const name = resources[id];
  ok(name, `${id} is not in the stack`);
  return name;
};

/** Checks that the stack has each resource of the template, and a value for each output. */
export async function checkResources(check: Check, { template, there }: Deployed): Promise<void> {
  await check(`${Object.keys(template.Resources).length} resources are in the stack`, () => {
    deepStrictEqual(Object.keys(there.resources).sort(), Object.keys(template.Resources).sort());
  });
  await check('every output has a value', () => {
    deepStrictEqual(Object.keys(there.outputs).sort(), Object.keys(template.Outputs).sort());
    for (const [name, value] of Object.entries(there.outputs))
      ok(/^[\w:/.@-]+$/.test(value), `${name}: ${value}`);
  });
}

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
    deepStrictEqual([after.functions, after.queues], [{}, []]);
  });
  await check('destroyed: only tables with data and the bucket remain', () => {
    const tables = ofType(template, 'AWS::DynamoDB::GlobalTable').map(([id]) => physical(there, id));
    const remaining = tables.filter((name) => after.tables.includes(name)).sort();
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
