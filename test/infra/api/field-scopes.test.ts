import { expect, test } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { CallerPool } from '../../../infra/constructs/api/user-pool.ts';
import { readContext } from '../../../infra/read-context.ts';
import { employees } from '../../fixtures/guarded/employees.ts';

// Decision 57: an operator gives such scopes to clients of their own.
test('the user pool has the scopes of fields, and no client of the stack has them', () => {
  const app = new App();
  const stack = new Stack(app, 'stack');
  const options = readContext(app.node);
  new CallerPool(stack, 'callers', { registry: [employees], options }).addPages('https://api.example.com');
  const template = Template.fromStack(stack);
  const [server] = Object.values(template.findResources('AWS::Cognito::UserPoolResourceServer'));
  const names = server?.Properties.Scopes.map(({ ScopeName }: { ScopeName: string }) => ScopeName);
  expect(names).toEqual([
    'employees:read',
    'employees:write',
    'audit:read',
    'contacts:read',
    'salaries:read',
    'salaries:write',
    'all:read',
    'all:write',
  ]);
  const clients = Object.values(template.findResources('AWS::Cognito::UserPoolClient'));
  expect(clients).toHaveLength(2);
  for (const { Properties } of clients) {
    expect(JSON.stringify(Properties.AllowedOAuthScopes)).toContain('employees:write');
    expect(JSON.stringify(Properties.AllowedOAuthScopes)).not.toMatch(/salaries|contacts|audit|all:/);
  }
});
