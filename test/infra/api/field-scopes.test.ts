import { expect, test } from '@jest/globals';
import { synthesize } from '../synthesis.ts';

// Decision 57: an operator gives such scopes to clients of their own.
test('the user pool has the scopes of fields, and no client of the stack has them', async () => {
  const service = await synthesize({ program: 'all' }, 'guarded');
  const { Scopes } = service.one('AWS::Cognito::UserPoolResourceServer').Properties;
  const names = (Scopes as { ScopeName: string }[]).map(({ ScopeName }) => ScopeName);
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
  const clients = service.parts('AWS::Cognito::UserPoolClient');
  expect(clients).toHaveLength(2);
  for (const { Properties } of clients) {
    expect(JSON.stringify(Properties.AllowedOAuthScopes)).toContain('employees:write');
    expect(JSON.stringify(Properties.AllowedOAuthScopes)).not.toMatch(/salaries|contacts|audit|all:/);
  }
});
