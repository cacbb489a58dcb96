import { SQSClient } from '@aws-sdk/client-sqs';
import { type Credentials, type Engines, inProcess, type TypedService } from 'embedded-aws';

/** Addresses of external engines. An engine without an address is embedded. */
export interface Endpoints {
  readonly dynamodb: string | undefined;
  readonly s3: string | undefined;
  readonly sqs: string | undefined;
  /** Address that takes the notification rules of a bucket, for an S3 that cannot notify queues itself. */
  readonly s3Rules: string | undefined;
}

/**
 * Reads the addresses. The clients of the SDK use the same variables.
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
 * Returns the services that this process calls without messages: all embedded ones. With `ENGINE_WIRE=1`, all calls are
 * signed and serialized messages, as on AWS.
 */
export function typedServicesIn(environment: NodeJS.ProcessEnv): readonly TypedService[] {
  if (environment.ENGINE_WIRE === '1') return [];
  const { dynamodb, sqs } = endpointsIn(environment);
  return [...(dynamodb ? [] : ['dynamodb' as const]), ...(sqs ? [] : ['sqs' as const]), 'events'];
}

/**
 * Returns the key pair for external engines from the environment; undefined if all engines are embedded.
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
 * Returns the key pair for DynamoDB, which can differ from the others. DynamoDB Local has one database for each
 * access key. Services that share a database slow each other down, because each read of a stream scans the changes of
 * all tables.
 *
 * Source: Amazon DynamoDB Developer Guide, "DynamoDB local usage notes".
 */
export function dynamoDbCredentials(environment: NodeJS.ProcessEnv, credentials: Credentials): Credentials {
  const { DYNAMODB_ACCESS_KEY_ID } = environment;
  return DYNAMODB_ACCESS_KEY_ID ? { ...credentials, accessKeyId: DYNAMODB_ACCESS_KEY_ID } : credentials;
}

type InProcess = ReturnType<typeof inProcess>['handle'];
type Request = Parameters<InProcess>[0] & { readonly hostname: string };
/** The time-outs of an attempt in ms. */
type Timeouts = { readonly connectionTimeout?: number; readonly requestTimeout?: number };
type Handle = (request: Request, options?: Parameters<InProcess>[1]) => ReturnType<InProcess>;

/**
 * Returns a request handler for clients of AWS. The engines in this process handle requests to AWS addresses. Requests
 * to addresses of the environment use the network, with `timeouts`.
 */
export function transport(engines: Engines, timeouts: Timeouts = {}) {
  const here = inProcess(engines);
  const network: { handle: Handle } = new SQSClient({ requestHandler: timeouts }).config.requestHandler;
  const handle: Handle = (request, options) =>
    request.hostname.endsWith('.amazonaws.com')
      ? here.handle(request, options)
      : network.handle(request, options);
  return { ...here, handle };
}
