import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  ApiKeySourceType,
  type CfnRestApi,
  EndpointType,
  LogGroupLogDestination,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { limitsOf, openMethods } from '../../gateway/limits.ts';
import type { Route } from '../../gateway/routing.ts';
import type { Options } from '../../options.ts';
import { countRefusals } from './api-metrics.ts';

/** Bodies of all types pass through unchanged. Without this, API Gateway replaces bytes that are not valid UTF-8. */
const BINARY = ['*/*'];

/**
 * A regional REST API with one throttled stage. The stage logs requests without their content. The authorizer names
 * the API key of each caller; clients send none.
 *
 * Compression stays off: the functions compress, because each content coding has its own strong entity tag. The log
 * role is a setting of the whole account. It stays when the stack is deleted, because other APIs can depend on it.
 *
 * Source: API Gateway Developer Guide, "Working with binary media types", "Throttle requests to your REST APIs", "Set
 * up CloudWatch logging for REST APIs".
 */
export function restApi(
  scope: Construct,
  id: string,
  { options, routes }: { options: Options; routes: readonly Route[] },
): RestApi {
  const limits = limitsOf(options);
  const api = new RestApi(scope, id, {
    restApiName: options.name,
    description: 'A resource-oriented HTTP API',
    endpointTypes: [EndpointType.REGIONAL],
    binaryMediaTypes: BINARY,
    apiKeySourceType: ApiKeySourceType.AUTHORIZER,
    ...(options.accountLogRole && !options.local
      ? { cloudWatchRole: true, cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN }
      : { cloudWatchRole: false }),
    // If the API has its own host, all links use that host.
    disableExecuteApiEndpoint: options.domainName === undefined || options.edge ? undefined : true,
    deployOptions: {
      stageName: options.stage,
      throttlingRateLimit: limits.method.rate,
      throttlingBurstLimit: limits.method.burst,
      methodOptions: Object.fromEntries(
        openMethods(routes).map((method) => [
          method,
          { throttlingRateLimit: limits.open.rate, throttlingBurstLimit: limits.open.burst },
        ]),
      ),
      dataTraceEnabled: false,
      tracingEnabled: options.tracing,
      ...(options.local ? {} : accessLog(scope, options)),
    },
  });
  // The stack defines its own output for the URL.
  api.node.tryRemoveChild('Endpoint');
  if (options.strictTls && !options.local) requireStrictTls(api);
  if (options.local) declareBinaryTypesToSam(api);
  return api;
}

/**
 * Sets the TLS policy of the API Gateway host, for which CDK has no property yet. In STRICT mode, the host name of
 * the TLS handshake must equal the Host of the request.
 *
 * Source: API Gateway Developer Guide, "Security policies for REST APIs", "Endpoint access mode".
 */
function requireStrictTls(api: RestApi): void {
  const resource = api.node.defaultChild as CfnRestApi;
  resource.addPropertyOverride('SecurityPolicy', 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09');
  resource.addPropertyOverride('EndpointAccessMode', 'STRICT');
}

/**
 * One log line for each request: method, path template, status and timings. It leaves out the path, the query and the
 * caller, because they can contain personal data.
 *
 * Source: API Gateway Developer Guide, "Variables for access logging for API Gateway".
 */
function accessLog(scope: Construct, options: Options) {
  const group = new LogGroup(scope, 'access-log', {
    retention: options.logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  if (options.metrics) countRefusals(group, options);
  const fields = {
    requestId: AccessLogField.contextRequestId(),
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
 * Adds the binary media types to an OpenAPI body, because SAM reads them only there. A deployed template must not
 * have this body, because it would replace every route.
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
    reason: 'A body in addition to routes can differ from them, but this template is never deployed',
  });
}
