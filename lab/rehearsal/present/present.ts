import { deepStrictEqual, ok } from 'node:assert/strict';
import type { Check } from '../../../test/support/checks.ts';
import { type Deployed, ofType, physical } from './deployed.ts';
import { functions } from './functions.ts';
import { queues, tables } from './stores.ts';

/** Checks that moto has the resources of the template, with the properties that moto supports. */
export async function present(check: Check, deployed: Deployed): Promise<void> {
  const { template, there } = deployed;
  const count = (type: string) => ofType(template, type).length;
  await check(`${Object.keys(template.Resources).length} resources are in the stack`, () => {
    deepStrictEqual(Object.keys(there.resources).sort(), Object.keys(template.Resources).sort());
  });
  await check('every output has a value', () => {
    deepStrictEqual(Object.keys(there.outputs).sort(), Object.keys(template.Outputs).sort());
    for (const [name, value] of Object.entries(there.outputs))
      ok(/^[\w:/.@-]+$/.test(value), `${name}: ${value}`);
  });
  await check(`${count('AWS::DynamoDB::GlobalTable')} tables: keys, indexes, protection, streams`, () =>
    tables(deployed),
  );
  await check(`${count('AWS::SQS::Queue')} queues: times and dead-letter queues`, () => queues(deployed));
  await check('the bucket', () => {
    for (const [id] of ofType(template, 'AWS::S3::Bucket')) ok(there.buckets.includes(physical(there, id)));
  });
  await check(`${count('AWS::Lambda::Function')} functions: code, memory, time-out, environment`, () =>
    functions(deployed),
  );
}
