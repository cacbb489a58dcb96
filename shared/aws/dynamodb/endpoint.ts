import { awsConfig } from '../config.ts';

/** The address of DynamoDB. `port`: undefined for the default port of the protocol. */
export interface Endpoint {
  readonly protocol: 'http:' | 'https:';
  readonly hostname: string;
  readonly port: number | undefined;
  /** The value of the header field `host`. */
  readonly host: string;
  readonly path: string;
}

/** The suffixes of host names in the partitions of AWS: for IPv4 alone, and for IPv4 and IPv6. */
const PARTITIONS: readonly (readonly [regions: RegExp, suffix: string, dualStack: string])[] = [
  [/^cn-/, 'amazonaws.com.cn', 'api.amazonwebservices.com.cn'],
  [/^eusc-/, 'amazonaws.eu', 'api.amazonwebservices.eu'],
  [/^us-iso-/, 'c2s.ic.gov', 'api.aws.ic.gov'],
  [/^us-isob-/, 'sc2s.sgov.gov', 'api.aws.scloud'],
  [/^eu-isoe-/, 'cloud.adc-e.uk', 'api.cloud-aws.adc-e.uk'],
  [/^us-isof-/, 'csp.hci.ic.gov', 'api.aws.hci.ic.gov'],
  [/^/, 'amazonaws.com', 'api.aws'],
];

/**
 * The address of DynamoDB in a region, or the address that the environment gives. Only an address of the environment
 * can be without TLS.
 * @throws Error if the environment has an invalid address, or an address and also an option of AWS's addresses
 *
 * Source: AWS SDKs and Tools Reference Guide, "Service-specific endpoints", "Dual-stack and FIPS endpoints".
 */
export function endpointIn(region: string): Endpoint {
  const given = awsConfig.dynamoDbEndpoint();
  const { fips, dualStack } = awsConfig.awsAddresses();
  if (given === undefined) return addressOf(`https://${hostIn(region, fips, dualStack)}`);
  if (fips || dualStack)
    throw new Error(
      'AWS_ENDPOINT_URL is set together with AWS_USE_FIPS_ENDPOINT or AWS_USE_DUALSTACK_ENDPOINT: remove one of them',
    );
  return addressOf(given);
}

function hostIn(region: string, fips: boolean, dualStack: boolean): string {
  if (!/^[a-z0-9-]{1,63}$/.test(region)) throw new Error(`AWS_REGION must be a region, not '${region}'`);
  const [, plain = '', dual = ''] = PARTITIONS.find(([regions]) => regions.test(region)) ?? [];
  // In the partition for the government of the USA, the usual name is the one with FIPS.
  const isUsual = !fips || (region.startsWith('us-gov-') && !dualStack);
  const name = isUsual ? 'dynamodb' : 'dynamodb-fips';
  return `${name}.${region}.${dualStack ? dual : plain}`;
}

function addressOf(text: string): Endpoint {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new Error(`AWS_ENDPOINT_URL must be an address with http or https, not '${text}'`);
  return {
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? undefined : Number(url.port),
    host: url.host,
    path: url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`,
  };
}
