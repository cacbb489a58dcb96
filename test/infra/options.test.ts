import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { RootConstruct } from 'constructs';
import { development } from '../../infra/environments/development.ts';
import { type Environment, OPTIONS } from '../../infra/options.ts';
import { readContext } from '../../infra/read-context.ts';
import { atLeastOne } from '../support/expectations/at-least-one.ts';
import { synthesize } from './synthesis.ts';
import { variablesOf } from './variables.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/deploy.md'), 'utf8');

test('docs/deploy.md lists each option once, with default and purpose', () => {
  const rows = Object.entries(OPTIONS).map(([name, { otherwise = '', about }]) => {
    const value = String(otherwise);
    return `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${about} |`;
  });
  const tables = [...guide.matchAll(/^\| option \| default .*\n\|[-|]+\|\n((?:\|.*\n)+)/gm)];
  expect(tables.flatMap(([, table = '']) => table.trim().split('\n')).sort()).toEqual(rows.sort());
});

const ISSUER = { issuer: 'https://id.example.com', audience: 'urn:x' };

describe('an invalid value ends the synthesis with a sentence', () => {
  test.each([
    [{ name: 'with space' }, 'name must be letters, digits and -'],
    [{ stage: '' }, 'stage must be'],
    [{ auth: 'maybe' }, 'auth must be token or none'],
    [{ rateLimit: '0' }, 'rateLimit must be a positive integer'],
    [{ tracing: 'yes' }, 'tracing must be true or false'],
    [{ account: '123' }, 'account must be twelve digits'],
    [{ region: 'moon' }, 'region must be a region such as eu-west-1'],
    [{ issuer: 'http://id.example.com' }, 'issuer must be an https address'],
    [{ issuer: 'https://id.example.com' }, 'issuer and audience belong together'],
    [{ audience: 'urn:x' }, 'issuer and audience belong together'],
    [{ jwksUri: 'https://id.example.com/keys' }, 'name it'],
    [{ domainName: 'api.example.com' }, 'domainName and certificateArn belong together'],
    [{ hostedZoneId: 'Z1' }, 'name it with domainName'],
    [{ signInClient: 'pages' }, 'name its issuer'],
    [{ ...ISSUER, signInClient: 'pages', pages: 'false' }, 'let pages be true'],
    [{ ...ISSUER, auth: 'none' }, 'remove issuer'],
    [{ ...ISSUER, authDomain: 'shop' }, 'remove authDomain'],
    [{ authDomain: 'shop', auth: 'none' }, 'remove authDomain'],
    [{ monthlyBudget: '5' }, 'needs an alarmEmail'],
    [{ maximumWorkers: '1' }, 'maximumWorkers must be a number from 2 to 1000'],
    [{ maximumWorkers: '1001' }, 'maximumWorkers must be a number from 2 to 1000'],
    [{ maximumWaits: '0' }, 'maximumWaits must be a number from 1 to 60000'],
    [{ logRetentionDays: '45' }, 'logRetentionDays must be one of 1, 3, 5, 7, 14, 30'],
    [{ eventWorkers: '11' }, 'eventWorkers must be a number from 1 to 10'],
    [{ shards: '999999999' }, 'shards must be a number from 1 to 100'],
    [{ rateLimit: '9999999999' }, 'rateLimit must be a positive integer of at most nine digits'],
    [{ name: 'default' }, 'name cannot be default'],
    [{ authDomain: 'my-aws-pool' }, 'authDomain must not contain aws'],
    [{ domainName: `${'a'.repeat(64)}.example.com` }, 'domainName must be a host name'],
    [{ certificateArn: 'arn:aws:acm:' }, 'certificateArn must be the ARN of a certificate'],
    [
      {
        domainName: 'api.example.com',
        certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/x',
        region: 'eu-west-1',
      },
      'certificateArn must be in the region of the stack',
    ],
    [{ basePath: `/${'a'.repeat(300)}` }, 'basePath must be'],
    [{ auht: 'none' }, 'There is no option auht'],
    [{ standby: 'true' }, 'There is no option standby'],
    [{ replicas: 'eu-west-1' }, 'There is no option replicas'],
    [{ probe: 'https://api.example.com' }, 'There is no option probe'],
    [{ env: 'moon' }, 'The context value env must be development or production'],
    [{ env: 'constructor' }, 'The context value env must be development or production'],
    [{ repository: 'shop' }, 'repository must be owner/name'],
    [{ metrics: 'false' }, 'There is no option metrics'],
    [{ observability: 'none' }, 'deployment is all-at-once'],
    [{ program: 'all', auth: 'none' }, 'there is no pool'],
    [{ name: 'my-aws-api' }, 'authDomain'],
    [{ basePath: 'shop' }, 'begin with a slash'],
    [{ allowedOrigin: 'example.com' }, 'allowedOrigin must be an origin'],
    [{ local: 'true', account: '111122223333' }, 'never deployed'],
    [{ architecture: 'sparc' }, 'architecture must be arm64 or x86_64'],
  ])('%j', async (context, fault) => {
    await expect(synthesize(context)).rejects.toThrow(fault);
  });

  test('also if the file of an environment names an unknown option', () => {
    const { node } = new RootConstruct();
    node.setContext('env', 'production');
    const production = { standby: true } as Environment;
    expect(() => readContext(node, { environments: { production } })).toThrow('There is no option standby');
  });
});

describe('a custom host name', () => {
  const context = {
    domainName: 'api.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/x',
  };

  test('is the only address in links', async () => {
    const service = await synthesize({ ...context, basePath: '/shop' });
    expect(service.one('AWS::ApiGateway::RestApi').Properties.DisableExecuteApiEndpoint).toBe(true);
    expect(service.one('AWS::ApiGateway::DomainName').Properties).toMatchObject({
      DomainName: 'api.example.com',
      SecurityPolicy: 'TLS_1_2',
    });
    expect(service.one('AWS::ApiGateway::BasePathMapping').Properties.BasePath).toBe('shop');
    expect((service.json.Outputs as Record<string, { Value: unknown }>).URL?.Value).toBe(
      'https://api.example.com/shop',
    );
    expect(service.text).not.toContain('/v1/problems/');
    expect(service.text).toContain('/shop/problems/');
    // Deployments on one host have cookies of their own: the sign-in writes what the authorizer reads.
    for (const name of ['authorizer', 'signin'])
      expect(variablesOf(service, name)).toMatchObject({ BASE_PATH: '/shop' });
    expect(service.json.Outputs).toHaveProperty('HostAlias');
  });

  test('is in its zone', async () => {
    const service = await synthesize({ ...context, hostedZoneId: 'Z123' });
    expect(service.one('AWS::Route53::RecordSet').Properties).toMatchObject({
      Name: 'api.example.com.',
      Type: 'A',
      HostedZoneId: 'Z123',
    });
    expect(service.text).toContain('"/problems/not-found');
  });
});

const NAME = `"${development.name}"`;

describe('an environment', () => {
  test('sets the options of its file', async () => {
    const { text } = await synthesize({ env: 'development' });
    expect(text.includes(NAME)).toBe(true);
  });

  test('yields to a value of the command', async () => {
    const { text } = await synthesize({ env: 'development', name: 'mine' });
    expect(text.includes(NAME)).toBe(false);
    expect(text.includes('"mine"')).toBe(true);
  });
});

const plain = await synthesize();
const chosen = await synthesize({
  data: 'destroy',
  maximumReads: '500',
  maximumWrites: '100',
  waf: 'block',
  tracing: 'true',
  deployment: 'all-at-once',
  alarmEmail: 'ada@example.com',
  monthlyBudget: '50',
  maximumWaits: '20',
  eventWorkers: '4',
  eventArchiveDays: '30',
});

test('a base path without a host gets a warning, because only a proxy can serve it', async () => {
  const warning = expect.stringContaining('basePath without domainName');
  expect((await synthesize({ basePath: '/shop' })).warnings).toContainEqual(warning);
  expect((await synthesize({})).warnings).not.toContainEqual(warning);
});

describe('an explicit option', () => {
  test('removes the data together with the stack', () => {
    for (const type of ['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket', 'AWS::Cognito::UserPool']) {
      for (const { DeletionPolicy } of atLeastOne(chosen.parts(type))) expect(DeletionPolicy).toBe('Delete');
    }
    expect(plain.bucket('objects').DeletionPolicy).toBe('Retain');
    expect(plain.one('AWS::Cognito::UserPool').DeletionPolicy).toBe('Retain');
  });

  test('limits the units per second of each table and each of its indexes', () => {
    const reads = { ReadOnDemandThroughputSettings: { MaxReadRequestUnits: 500 } };
    const writes = { WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: 100 } };
    let count = 0;
    for (const { Properties } of atLeastOne(chosen.parts('AWS::DynamoDB::GlobalTable'))) {
      const { GlobalSecondaryIndexes: indexes = [], Replicas } = Properties as {
        GlobalSecondaryIndexes?: { IndexName: string }[];
        Replicas: [{ GlobalSecondaryIndexes?: object[] }];
      };
      expect(Properties).toMatchObject(writes);
      expect(Replicas).toMatchObject([reads]);
      expect(indexes).toEqual(indexes.map(() => expect.objectContaining(writes)));
      const replicated = Replicas[0].GlobalSecondaryIndexes ?? [];
      expect(replicated).toEqual(indexes.map(() => expect.objectContaining(reads)));
      count += indexes.length;
    }
    expect(count).toBeGreaterThan(5);
    expect(plain.text).not.toContain('RequestUnits');
  });

  test('limits waiting requests, and reserves no concurrency', () => {
    const waits = (service: typeof chosen) =>
      ['changes', 'operations', 'orders'].map((name) => variablesOf(service, name).MAXIMUM_WAITS);
    expect([waits(chosen), waits(plain)]).toEqual([Array(3).fill('20'), Array(3).fill('250')]);
    for (const service of [chosen, plain]) expect(service.text).not.toContain('ReservedConcurrent');
  });

  test('lets several batches of changes run at the same time, and archives the events', () => {
    const streams = chosen
      .parts('AWS::Lambda::EventSourceMapping')
      .flatMap(({ Properties }) => Properties.ParallelizationFactor ?? []);
    expect(new Set(streams)).toEqual(new Set([4]));
    expect(chosen.one('AWS::Events::Archive').Properties).toMatchObject({
      EventPattern: { source: ['resource-api'] },
      RetentionDays: 30,
    });
    expect(plain.parts('AWS::Events::Archive')).toEqual([]);
  });

  test('adds a firewall and traces', () => {
    expect(plain.parts('AWS::WAFv2::WebACL')).toEqual([]);
    const { Rules } = chosen.one('AWS::WAFv2::WebACL').Properties as { Rules: { Name: string }[] };
    expect(Rules.map(({ Name }) => Name)).toContain('rate');
    // Source: AWS WAF API Reference, CustomHTTPHeader.
    const values = [...JSON.stringify(Rules).matchAll(/"Name":"[\w-]+","Value":"((?:[^"\\]|\\.)*)"/g)];
    expect(values.length).toBeGreaterThan(4);
    expect(values.filter(([, value = '']) => JSON.parse(`"${value}"`).length > 255)).toEqual([]);
    expect(chosen.one('AWS::WAFv2::WebACLAssociation').Properties.WebACLArn).toBeDefined();
    expect(chosen.one('AWS::ApiGateway::Stage').Properties.TracingEnabled).toBe(true);
    const own = chosen.parts('AWS::Lambda::Function').filter(({ Metadata }) => Metadata?.SamResourceId);
    for (const { Properties } of atLeastOne(own))
      expect(Properties.TracingConfig).toEqual({ Mode: 'Active' });
  });

  test('activates new code at once', () => {
    expect(plain.parts('AWS::CodeDeploy::DeploymentGroup').length).toBeGreaterThan(0);
    expect(chosen.parts('AWS::CodeDeploy::DeploymentGroup')).toEqual([]);
    // The alias stays: an urgent rollback changes only its version.
    expect(chosen.parts('AWS::Lambda::Alias').map(({ id }) => id)).toEqual(
      plain.parts('AWS::Lambda::Alias').map(({ id }) => id),
    );
  });

  test('sends alarms and cost warnings by e-mail', () => {
    expect(plain.parts('AWS::SNS::Subscription')).toEqual([]);
    expect(plain.parts('AWS::Budgets::Budget')).toEqual([]);
    const subscriptions = chosen.parts('AWS::SNS::Subscription').map(({ Properties }) => Properties);
    const expected = { Protocol: 'email', Endpoint: 'ada@example.com' };
    expect(subscriptions).toMatchObject([expected, expected]);
    expect(chosen.one('AWS::Budgets::Budget').Properties).toMatchObject({
      Budget: {
        BudgetLimit: { Amount: 50, Unit: 'USD' },
        // An account has one budget of a name in all regions.
        BudgetName: { 'Fn::Join': ['', ['resource-api-', { Ref: 'AWS::Region' }]] },
      },
    });
  });
});
