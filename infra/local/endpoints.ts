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

/** Known to the embedded engines alone; they listen on this machine only. */
const EMBEDDED = { accessKeyId: 'local', secretAccessKey: 'local-secret' };

/** A key pair. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/**
 * The key pair for DynamoDB, where it is another one: DynamoDB Local has a database for each access key. Several services
 * in one slow each other down, as every change of any table is looked through for every read of a stream.
 *
 * Source: Amazon DynamoDB Developer Guide, "DynamoDB local usage notes".
 */
export function dynamoDbCredentialsIn(environment: NodeJS.ProcessEnv): Credentials {
  const { accessKeyId, secretAccessKey } = credentialsIn(environment);
  return { accessKeyId: environment.DYNAMODB_ACCESS_KEY_ID || accessKeyId, secretAccessKey };
}

/** The key pair of all engines: what others opened has keys of its own. */
export function credentialsIn(environment: NodeJS.ProcessEnv): Credentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ...rest } = environment;
  const { dynamodb, s3, sqs } = endpointsIn(rest);
  if (!(dynamodb ?? s3 ?? sqs) || !AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) return EMBEDDED;
  return { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY };
}
