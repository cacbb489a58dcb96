import { join } from 'node:path';
import { ENGINES, type Service } from './engines.ts';
import { CREDENTIALS, REGION } from './place.ts';

/** The ports of the real engines, the address for the rules of buckets, and the folder of this run. */
interface Run {
  readonly ports: ReadonlyMap<Service, number>;
  readonly rulesUrl: string;
  readonly data: string;
}

/**
 * The environment of the command: variables that every AWS SDK and the CLI read.
 *
 * Source: AWS SDKs and Tools Reference Guide, "Service-specific endpoints".
 */
export function environment({ ports, rulesUrl, data }: Run): NodeJS.ProcessEnv {
  const at = (service: Service) => `http://127.0.0.1:${ports.get(service)}`;
  const { AWS_PROFILE: _profile, AWS_SESSION_TOKEN: _token, ...outside } = process.env;
  return {
    ...outside,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    // The service's own data refers to data of these engines, which ends with them.
    DATA_DIR: join(data, 'service'),
    // For tests of some engines only.
    REAL_ENGINES: [...ports.keys()].map((service) => ENGINES[service].name).join(','),
    ...(ports.has('dynamodb') && {
      AWS_ENDPOINT_URL_DYNAMODB: at('dynamodb'),
      AWS_ENDPOINT_URL_DYNAMODB_STREAMS: at('dynamodb'),
    }),
    ...(ports.has('s3') && { AWS_ENDPOINT_URL_S3: at('s3'), S3_RULES_URL: rulesUrl }),
    ...(ports.has('sqs') && { AWS_ENDPOINT_URL_SQS: at('sqs') }),
  };
}
