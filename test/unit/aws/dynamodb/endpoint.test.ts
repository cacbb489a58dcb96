import { GetItemCommand as OfficialGetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from '@jest/globals';
import { GetItemCommand } from '../../../../shared/aws/dynamodb/client.ts';
import { bothClients } from './both.ts';

const NAMES = [
  'AWS_ENDPOINT_URL',
  'AWS_ENDPOINT_URL_DYNAMODB',
  'AWS_REGION',
  'AWS_USE_DUALSTACK_ENDPOINT',
  'AWS_USE_FIPS_ENDPOINT',
] as const;
const before = NAMES.map((name) => [name, process.env[name]] as const);
afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

const REGIONS = [
  'us-east-1',
  'eu-central-1',
  'ap-southeast-7',
  'mx-central-1',
  'xx-new-1',
  'cn-north-1',
  'cn-northwest-1',
  'us-gov-west-1',
  'us-gov-east-1',
  'eusc-de-east-1',
  'us-iso-east-1',
  'us-iso-west-1',
  'us-isob-east-1',
  'eu-isoe-west-1',
  'us-isof-south-1',
];
const ADDRESSES: readonly Readonly<Record<string, string>>[] = [
  {},
  { AWS_USE_DUALSTACK_ENDPOINT: 'true' },
  { AWS_USE_FIPS_ENDPOINT: 'true' },
  { AWS_USE_FIPS_ENDPOINT: 'true', AWS_USE_DUALSTACK_ENDPOINT: 'true' },
];
const CUSTOM: readonly Readonly<Record<string, string>>[] = [
  { AWS_ENDPOINT_URL: 'http://127.0.0.1:8000' },
  { AWS_ENDPOINT_URL_DYNAMODB: 'http://[::1]:8000/', AWS_ENDPOINT_URL: 'https://other.example' },
  { AWS_ENDPOINT_URL_DYNAMODB: '', AWS_ENDPOINT_URL: 'https://proxy.example/dynamodb' },
  { AWS_ENDPOINT_URL_DYNAMODB: 'https://vpce-1.dynamodb.us-east-1.vpce.amazonaws.com' },
];

/** The address of a call by both clients; undefined for a client that throws. */
async function addresses(environment: Readonly<Record<string, string>>, region: string) {
  for (const name of NAMES) delete process.env[name];
  Object.assign(process.env, environment);
  const { ours, theirs } = bothClients(() => ({ body: '{}' }), { region });
  const input = { TableName: 't', Key: {} };
  await ours.client.send(new GetItemCommand(input)).catch(() => undefined);
  await theirs.client.send(new OfficialGetItemCommand(input)).catch(() => undefined);
  return [ours, theirs].map(({ sent: [request] }) => {
    if (!request) return undefined;
    const { protocol, hostname, port, path, headers } = request;
    const address = hostname.includes(':') ? `[${hostname.replace(/^\[|\]$/g, '')}]` : hostname;
    return { protocol, address, port, path, host: headers.host };
  });
}

describe.each(ADDRESSES)('with %j', (environment) => {
  test.each(REGIONS)('the address in %s is the one of the SDK’s rules', async (region) => {
    const [own, official] = await addresses(environment, region);
    expect(own).toEqual(official);
    expect(own?.protocol).toBe('https:');
  });
});

test.each(CUSTOM)('the address of %j is the one that the SDK takes', async (environment) => {
  const [own, official] = await addresses(environment, 'us-east-1');
  expect(own).toEqual(official);
  expect(own).toBeDefined();
});

test.each(ADDRESSES.slice(1))('an address with %j is an error, as with the SDK', async (more) => {
  const environment = { ...more, AWS_ENDPOINT_URL: 'https://proxy.example' };
  expect(await addresses(environment, 'us-east-1')).toEqual([undefined, undefined]);
});

test.each(['ftp://127.0.0.1', 'localhost', '//'])('the address %j is an error that names it', async (url) => {
  process.env.AWS_ENDPOINT_URL = url;
  const { ours } = bothClients(() => ({ body: '{}' }));
  await expect(ours.client.send(new GetItemCommand({ TableName: 't', Key: {} }))).rejects.toThrow(
    `AWS_ENDPOINT_URL must be an address with http or https, not '${url}'`,
  );
});

test('the region comes from the environment, and must look like one', async () => {
  const ask = async (region: string | undefined) => {
    if (region === undefined) delete process.env.AWS_REGION;
    else process.env.AWS_REGION = region;
    const { ours } = bothClients(() => ({ body: '{}' }), { region: undefined });
    await ours.client.send(new GetItemCommand({ TableName: 't', Key: {} }));
    return ours.sent[0]?.hostname;
  };
  expect(await ask('eu-west-1')).toBe('dynamodb.eu-west-1.amazonaws.com');
  await expect(ask('evil.example/')).rejects.toThrow("AWS_REGION must be a region, not 'evil.example/'");
  await expect(ask(undefined)).rejects.toThrow('AWS_REGION is not set');
});
