import { describe, expect, test } from '@jest/globals';
import { registry } from '../../../service/registry.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { allowed, allowedTo } from '../permissions.ts';
import { synthesize, target } from '../synthesis.ts';

const service = await synthesize();
const { Properties } = service.functionOf('audit');
const { LogGroup } = Properties.LoggingConfig as { LogGroup: unknown };
const logOf = (name: string) =>
  target((service.functionOf(name).Properties.LoggingConfig as { LogGroup: unknown }).LogGroup);

// Specification 11.14
describe('the audit log', () => {
  test('gets the lines of writes of each resource that has any', () => {
    const filters = service.parts('AWS::Logs::SubscriptionFilter').map((one) => one.Properties);
    const isWritten = ({ name }: { readonly name: string }) => !['root', 'site', 'add'].includes(name);
    const logs = registry.filter(isWritten).map(({ name }) => logOf(name));
    expect(filters.map(({ LogGroupName }) => target(LogGroupName)).sort()).toEqual(logs.sort());
    for (const { FilterPattern, DestinationArn } of atLeastOne(filters)) {
      expect(target(DestinationArn)).toBe(service.functionOf('audit').id);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        expect(FilterPattern).toContain(`$.method = "${method}"`);
      expect(FilterPattern).not.toContain('GET');
    }
  });

  test('is the log of a function that can do nothing else, and stays with the data', () => {
    const group = service.byId(target(LogGroup));
    expect(group.Properties.RetentionInDays).toBe(365);
    // It outlives the stack, but not a first deployment that fails.
    expect(group.DeletionPolicy).toBe('RetainExceptOnCreate');
    expect(allowed(service, 'audit')).toEqual(
      ['CreateLogStream', 'PutLogEvents'].map((one) => `Allow logs:${one} ${group.id}`),
    );
  });

  test('only CloudWatch Logs of this account can call the function, and may do so before a filter exists', () => {
    const [partition, region, account] = ['Partition', 'Region', 'AccountId'].map((one) => ({
      Ref: `AWS::${one}`,
    }));
    const permissions = service
      .parts('AWS::Lambda::Permission')
      .filter(({ Properties: { FunctionName } }) => target(FunctionName) === service.functionOf('audit').id);
    expect(permissions).toHaveLength(1);
    expect(permissions[0]?.Properties).toMatchObject({
      Principal: 'logs.amazonaws.com',
      SourceAccount: { Ref: 'AWS::AccountId' },
      SourceArn: { 'Fn::Join': ['', ['arn:', partition, ':logs:', region, ':', account, ':log-group:*']] },
    });
    // CloudWatch Logs invokes the function before it accepts a filter.
    const filters = service.parts('AWS::Logs::SubscriptionFilter');
    expect(filters.length).toBeGreaterThan(0);
    for (const { DependsOn } of filters) expect([DependsOn].flat()).toContain(permissions[0]?.id);
  });
});

describe('the key of the hashes', () => {
  test('is a generated secret, which stays with the data', () => {
    const secret = service.one('AWS::SecretsManager::Secret');
    expect(secret.Properties.GenerateSecretString).toEqual({ PasswordLength: 64, ExcludePunctuation: true });
    expect(secret.DeletionPolicy).toBe('RetainExceptOnCreate');
  });

  test('is in no variable: functions that need it read it, and they alone may', () => {
    const { id } = service.one('AWS::SecretsManager::Secret');
    const names = ['authorizer', 'events', 'mcp', 'signin'];
    const lambdas = service.parts('AWS::Lambda::Function');
    for (const { Metadata, Properties } of atLeastOne(lambdas)) {
      const variables = (Properties.Environment as { Variables?: object } | undefined)?.Variables ?? {};
      // CloudFormation replaces such a reference by the secret.
      expect(JSON.stringify(variables)).not.toContain('{{resolve:');
      const isReader = names.includes(String(Metadata?.SamResourceId));
      expect('AUDIT_SECRET' in variables ? target(variables.AUDIT_SECRET) : undefined).toBe(
        isReader ? id : undefined,
      );
    }
    const readers = lambdas.filter(({ Properties: { Role } }) =>
      allowedTo(service, target(Role)).some((one) => one.includes('secretsmanager:')),
    );
    expect(readers.map(({ Metadata }) => Metadata?.SamResourceId).sort()).toEqual(names);
    for (const name of names)
      expect(allowed(service, name)).toContain(`Allow secretsmanager:GetSecretValue ${id}`);
  });

  test('is another secret after a new number', async () => {
    const rotated = await synthesize({ auditKey: '2' });
    const ids = [service, rotated].map((one) => one.one('AWS::SecretsManager::Secret').id);
    expect(ids[0]).not.toBe(ids[1]);
  });

  test.each(['auth=none', 'local=true'])(
    'does not exist with %s, as callers have no names',
    async (option) => {
      const { text } = await synthesize(Object.fromEntries([option.split('=')]));
      expect(text).not.toMatch(/AUDIT_SECRET|SecretsManager|SubscriptionFilter/);
    },
  );
});
