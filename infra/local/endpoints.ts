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

/** The key pair of all engines: what others opened has keys of its own. */
export function credentialsIn({ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ...rest }: NodeJS.ProcessEnv) {
  const { dynamodb, s3, sqs } = endpointsIn(rest);
  if (!(dynamodb ?? s3 ?? sqs) || !AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) return EMBEDDED;
  return { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY };
}
