import { expect, test } from '@jest/globals';
import { openApi } from '../../../openapi/document.ts';
import type { OperationObject, Response, Schema } from '../../../openapi/model.ts';
import { registry } from '../../fixtures/custom-actions/registry.ts';

const { paths, components } = openApi(registry);
const operation = (method: string, path: string) => paths[path]?.[method] as OperationObject;
const schemas = components.schemas as Readonly<Record<string, Schema>>;
const schemaIn = (method: string, path: string, type: string) =>
  operation(method, path).requestBody?.content[type]?.schema;

test.each([
  ['/invoices/{id}/remind', 'RemindInvoice'],
  ['/invoices/{id}/charge', 'ChargeInvoice'],
  ['/invoices/split', 'SplitInvoices'],
  ['/invoices/open-account', 'OpenAccountInvoices'],
])('the body of %s has the schema %s, in each format', (path, name) => {
  for (const type of ['application/json', 'application/xml'])
    expect(schemaIn('post', path, type)).toEqual({ $ref: `#/components/schemas/${name}` });
});

test('the schema of a body has the rules of its fields', () => {
  const { required, properties, xml } = schemas.RemindInvoice as Schema & {
    readonly properties: Readonly<Record<string, Schema>>;
  };
  expect([required, xml]).toEqual([['text'], { name: 'remind' }]);
  expect(Object.keys(properties)).toEqual(['text', 'due', 'fee', 'copies', 'tags']);
  expect(properties.text).toMatchObject({ type: 'string', maxLength: 40 });
  expect(properties.copies).toMatchObject({ type: ['integer', 'null'], minimum: 1, maximum: 3 });
  expect(properties.copies?.description).toBe('Copies. The default is 1.');
  const { properties: charged } = schemas.ChargeInvoice as { properties: Record<string, Schema> };
  expect(charged.accountId?.$ref).toBe('#/components/schemas/IntegerOrString');
});

test('a body is required if one of its properties is', () => {
  expect(operation('post', '/invoices/split').requestBody?.required).toBe(true);
  expect(operation('post', '/invoices/open-account').requestBody?.required).toBe(false);
});

test.each([
  ['post', '/invoices/{id}/remind', 'Remind an invoice', 'invoices:write'],
  ['post', '/invoices/{id}/forgive', 'Forgive the reminders', 'invoices:write'],
  ['post', '/invoices/{id}/charge', 'Charge an invoice', 'invoices:charge'],
  ['post', '/invoices/split', 'Split invoices', 'invoices:write'],
])('%s %s has the summary "%s" and the scope %s', (method, path, summary, scope) => {
  expect(operation(method, path)).toMatchObject({ summary, security: [{ bearer: [scope] }, {}] });
});

test('an action says what it can end with', () => {
  const statuses = (path: string) => Object.keys(operation('post', path).responses);
  expect(statuses('/invoices/{id}/remind')).toEqual(
    expect.arrayContaining(['200', '201', '202', '204', '400', '404', '409', '412', 'default']),
  );
  // A collection has no version, so its actions have no preconditions.
  expect(statuses('/invoices/split')).not.toContain('412');
  expect(statuses('/invoices/split')).not.toContain('404');
  expect(operation('post', '/invoices/{id}/forgive').description).toBe(
    'Removes what the service has counted.',
  );
});

test('the responses of actions are components that others share', () => {
  const responses = components.responses as Readonly<Record<string, Response>>;
  expect(responses.NoContentActionDone?.description).toMatch(/^The action is done\. /);
});
