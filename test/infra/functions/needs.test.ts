import { expect, test } from '@jest/globals';
import { allowed } from '../permissions.ts';
import { synthesize } from '../synthesis.ts';
import { variablesOf } from '../variables.ts';

const variables = { MAIL_FROM: 'shop@example.org' };
// An error if the rules of lint found a statement of the author, or the stack beside the service.
const service = await synthesize({}, 'with needs', { variables, judged: true });
const functions = service
  .parts('AWS::Lambda::Function')
  .map(({ Metadata }) => String(Metadata?.SamResourceId))
  .filter((name) => name !== 'undefined');

/** The functions that have a permission which contains this text. */
const having = (text: string) =>
  functions.filter((name) => allowed(service, name).some((line) => line.includes(text))).sort();

// Specification 19.4
test('only the functions that run the code get its variables, its secrets and its statements', () => {
  const running = ['alerts', 'alerts-changes', 'worker'];
  expect(having('/MAIL_KEY-??????')).toEqual(running);
  expect(having('ses:SendEmail')).toEqual(running);
  expect(functions.filter((name) => 'VARIABLE_MAIL_FROM' in variablesOf(service, name)).sort()).toEqual(
    running,
  );
  expect(variablesOf(service, 'alerts').VARIABLE_MAIL_FROM).toBe('shop@example.org');
  // No request runs code of notices.
  expect(having('/NOTICE_KEY-??????')).toEqual(['notices-changes']);
  expect(allowed(service, 'notices-changes')).toContainEqual(
    expect.stringMatching(
      /^Allow secretsmanager:GetSecretValue arn:.*:secret:resource-api\/NOTICE_KEY-\?{6}$/,
    ),
  );
});

test('synthesis refuses an environment without the value of a variable, and a value that nothing needs', async () => {
  await expect(synthesize({ env: 'production' }, 'with needs')).rejects.toThrow(
    "alerts needs the variable MAIL_FROM, and the environment production give it no value: variables: { MAIL_FROM: '…' }",
  );
  await expect(synthesize({}, 'own', { variables })).rejects.toThrow(
    'Nothing needs the variable MAIL_FROM of the options: correct its name, or remove it',
  );
});

test('the stack has no secret of the code: an operator sets each one', async () => {
  const plain = await synthesize();
  expect(service.parts('AWS::SecretsManager::Secret')).toHaveLength(
    plain.parts('AWS::SecretsManager::Secret').length,
  );
});
