import type { Credentials } from '../engines/signature.ts';

/** Where engines are that others opened. What has no address here is embedded. */
export interface Endpoints {
  readonly dynamodb: string | undefined;
  readonly s3: string | undefined;
  readonly sqs: string | undefined;
  /** Where a bucket's rules are put when its S3 cannot tell queues of objects by itself. */
  readonly s3Rules: string | undefined;
}

/**
 * The addresses that the SDK's clients go to as well.
 *
 * Source: AWS SDKs and Tools Reference Guide, "Service-specific endpoints".
 */
export const endpointsIn = (environment: NodeJS.ProcessEnv): Endpoints => ({
  dynamodb: environment.AWS_ENDPOINT_URL_DYNAMODB || undefined,
  s3: environment.AWS_ENDPOINT_URL_S3 || undefined,
  sqs: environment.AWS_ENDPOINT_URL_SQS || undefined,
  s3Rules: environment.S3_RULES_URL || undefined,
});

/**
 * The key pair that the environment has for engines that others opened; undefined if all engines are embedded.
 * @throws Error if engines have addresses, but there is no key pair
 */
export function credentialsIn(environment: NodeJS.ProcessEnv): Credentials | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment;
  const { dynamodb, s3, sqs } = endpointsIn(environment);
  if (!(dynamodb ?? s3 ?? sqs)) return undefined;
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey };
  throw new Error('AWS_ENDPOINT_URL_… needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY as well.');
}

/**
 * The key pair for DynamoDB, where it is another one: DynamoDB Local has a database for each access key. Several services
 * in one slow each other down, as every change of any table is looked through for every read of a stream.
 *
 * Source: Amazon DynamoDB Developer Guide, "DynamoDB local usage notes".
 */
export function dynamoDbCredentials(environment: NodeJS.ProcessEnv, credentials: Credentials): Credentials {
  const { DYNAMODB_ACCESS_KEY_ID } = environment;
  return DYNAMODB_ACCESS_KEY_ID ? { ...credentials, accessKeyId: DYNAMODB_ACCESS_KEY_ID } : credentials;
}
