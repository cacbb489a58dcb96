import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  type CfnRestApi,
  EndpointType,
  LogGroupLogDestination,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Options } from '../options.ts';

/** Bodies of all types pass through unchanged: without this, bytes that are no UTF-8 are replaced. */
const BINARY = ['*/*'];

/**
 * The front door: a regional REST API with one throttled stage that logs requests, never what is in them. Compression
 * stays off, since it would leave a strong entity tag on bytes that it changed. The role that logs are written with is one
 * for the account: it stays when the stack goes, as others may rely on it.
 *
 * Source: API Gateway Developer Guide, "Working with binary media types", "Throttle requests to your REST APIs", "Set up
 * CloudWatch logging for REST APIs".
 */
export function restApi(scope: Construct, id: string, options: Options): RestApi {
  const api = new RestApi(scope, id, {
    restApiName: options.name,
    description: 'A resource-oriented HTTP API',
    endpointTypes: [EndpointType.REGIONAL],
    binaryMediaTypes: BINARY,
    ...(options.accountLogRole && !options.local
      ? { cloudWatchRole: true, cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN }
      : { cloudWatchRole: false }),
    // Where the API has a host of its own, links lead there.
    disableExecuteApiEndpoint: options.domainName === undefined || options.edge ? undefined : true,
    deployOptions: {
      stageName: options.stage,
      throttlingRateLimit: options.rateLimit,
      throttlingBurstLimit: options.burstLimit,
      dataTraceEnabled: false,
      tracingEnabled: options.tracing,
      ...(options.local ? {} : accessLog(scope, options)),
    },
  });
  // The stack has an output of its own.
  api.node.tryRemoveChild('Endpoint');
  if (options.strictTls && !options.local) askForStrictTls(api);
  if (options.local) declareBinaryTypesToSam(api);
  return api;
}

/**
 * The policy of API Gateway's own address, which CDK has no property for yet. Strict: the host that TLS was begun for is the
 * one that is asked.
 *
 * Source: API Gateway Developer Guide, "Security policies for REST APIs", "Endpoint access mode".
 */
function askForStrictTls(api: RestApi): void {
  const resource = api.node.defaultChild as CfnRestApi;
  resource.addPropertyOverride('SecurityPolicy', 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09');
  resource.addPropertyOverride('EndpointAccessMode', 'STRICT');
}

/**
 * A line for each request: what was asked of which path template, and how it went. Neither the path, which names people's
 * things, nor the query, nor who it was.
 *
 * Source: API Gateway Developer Guide, "Variables for access logging for API Gateway".
 */
function accessLog(scope: Construct, { logRetentionDays }: Options) {
  const group = new LogGroup(scope, 'access-log', {
    retention: logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const fields = {
    requestId: AccessLogField.contextRequestId(),
    time: AccessLogField.contextRequestTimeEpoch(),
    method: AccessLogField.contextHttpMethod(),
    template: AccessLogField.contextResourcePath(),
    status: AccessLogField.contextStatus(),
    bytes: AccessLogField.contextResponseLength(),
    latency: AccessLogField.contextResponseLatency(),
    integrationLatency: AccessLogField.contextIntegrationLatency(),
    integrationStatus: AccessLogField.contextIntegrationStatus(),
    authorizerLatency: '$context.authorizer.latency',
    refusal: AccessLogField.contextErrorResponseType(),
  };
  return {
    accessLogDestination: new LogGroupLogDestination(group),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(fields)),
  };
}

/**
 * SAM reads binary media types from an OpenAPI body only. Never for a deployment: there the body would replace
 * every route.
 *
 * Source: AWS SAM CLI, `CfnApiProvider`.
 */
function declareBinaryTypesToSam(api: RestApi): void {
  const resource = api.node.defaultChild as CfnRestApi;
  resource.addPropertyOverride('Body', {
    openapi: '3.0.1',
    info: { title: 'local', version: '1' },
    'x-amazon-apigateway-binary-media-types': BINARY,
  });
  Validations.of(resource).acknowledge({
    id: 'CloudFormation-Validate::W3660',
    reason: 'A body beside routes would drift, were this ever deployed',
  });
}
