import { Annotations, CfnResource, RemovalPolicy } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  ApiDefinition,
  type CfnRestApi,
  EndpointType,
  LogGroupLogDestination,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { countResources, type Route } from '../../gateway/routing.ts';
import { openMethods, throttlingOf } from '../../gateway/throttling.ts';
import type { Options } from '../../options.ts';
import { logRetention } from '../functions/retention.ts';
import { countRefusals } from './api-metrics.ts';
import { gatewayResponses } from './gateway-responses.ts';
import type { Definition } from './paths.ts';

/** Bodies of all types pass through unchanged. Without this, API Gateway replaces bytes that are not valid UTF-8. */
const BINARY = ['*/*'];

/** The authorizer names the API key of a request. */
const KEY_SOURCE = 'AUTHORIZER';

/**
 * The TLS policy of the API Gateway host. In STRICT mode, the host name of the TLS handshake must equal the Host of the
 * request.
 *
 * Source: API Gateway Developer Guide, "Security policies for REST APIs", "Endpoint access mode".
 */
const TLS = 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09';

/** Resources of one API. AWS raises this quota on request. Source: API Gateway Developer Guide, "API Gateway quotas". */
const MAXIMUM_RESOURCES = 300;

export interface RestApiProps {
  readonly routes: readonly Route[];
  readonly paths: Definition;
  /** The functions that the paths name. */
  readonly functions: Iterable<IFunction>;
  /** The authorizers by name. */
  readonly authorizers: Definition;
  readonly options: Options;
}

/**
 * Returns a regional REST API with one throttled stage. The stage logs requests without their content. The authorizer
 * names the API key of each caller; clients send none.
 *
 * The API is one resource of the template: an OpenAPI document defines its paths, its authorizer and its errors. A new
 * path therefore brings the stack no closer to the limit of CloudFormation. API Gateway reports a part that it does not
 * import, such as an authorizer, as a warning. A warning fails the deployment.
 *
 * Compression stays off: the functions compress, because each content coding has its own strong entity tag. The log
 * role is a setting of the whole account. It stays when the stack is deleted, because other APIs can depend on it.
 *
 * Source: API Gateway Developer Guide, "Develop REST APIs using OpenAPI", "Working with binary media types", "Throttle
 * requests to your REST APIs", "Set up CloudWatch logging for REST APIs".
 */
export function restApi(
  scope: Construct,
  id: string,
  { routes, paths, functions, authorizers, options }: RestApiProps,
): SpecRestApi {
  const throttling = throttlingOf(options);
  const isStrict = options.strictTls && !options.local;
  // If the API has its own host, all links use that host.
  const isClosed = options.domainName !== undefined && !options.edge;
  const count = countResources(routes);
  if (count > MAXIMUM_RESOURCES)
    Annotations.of(scope).addWarningV2(
      'resource-api:paths',
      `The API has ${count} resources of API Gateway, and a new account allows ${MAXIMUM_RESOURCES}: raise the quota ` +
        '"Resources per API" in Service Quotas before you deploy',
    );
  const api = new SpecRestApi(scope, id, {
    restApiName: options.name,
    description: DESCRIPTION,
    endpointTypes: [EndpointType.REGIONAL],
    binaryMediaTypes: BINARY,
    failOnWarnings: true,
    apiDefinition: ApiDefinition.fromInline({
      openapi: '3.0.1',
      info: { title: options.name, description: DESCRIPTION, version: '1' },
      paths,
      components: { securitySchemes: authorizers },
      'x-amazon-apigateway-gateway-responses': gatewayResponses(options),
      ...settings({ isStrict, isClosed }),
    }),
    ...(options.accountLogRole && !options.local
      ? { cloudWatchRole: true, cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN }
      : { cloudWatchRole: false }),
    disableExecuteApiEndpoint: isClosed ? true : undefined,
    deployOptions: {
      stageName: options.stage,
      throttlingRateLimit: throttling.method.rate,
      throttlingBurstLimit: throttling.method.burst,
      methodOptions: Object.fromEntries(
        openMethods(routes).map((method) => [
          method,
          { throttlingRateLimit: throttling.open.rate, throttlingBurstLimit: throttling.open.burst },
        ]),
      ),
      dataTraceEnabled: false,
      tracingEnabled: options.tracing,
      ...(options.local ? {} : accessLog(scope, options)),
    },
  });
  // The stack defines its own output for the URL.
  api.node.tryRemoveChild('Endpoint');
  const resource = api.node.defaultChild as CfnRestApi;
  resource.apiKeySourceType = KEY_SOURCE;
  api.latestDeployment?.addToLogicalId({ functions: [...functions].flatMap(madeWith) });
  if (isStrict) {
    resource.securityPolicy = TLS;
    resource.endpointAccessMode = 'STRICT';
  }
  return api;
}

/**
 * Returns the logical ids of what a nested stack makes for its function. The definition of the API names the function by an
 * output of its stack, and this text stays the same if the stack makes another function. Only another id of the deployment
 * then leads the stage to it.
 *
 * Source: API Gateway Developer Guide, "Deploy REST APIs"; aws-cdk-lib, `Deployment.addToLogicalId`.
 */
const madeWith = ({ stack }: IFunction): string[] =>
  stack.nestedStackResource
    ? stack.node
        .findAll()
        .filter((one) => CfnResource.isCfnResource(one))
        .filter(
          ({ cfnResourceType: type }) => type === 'AWS::Lambda::Function' || type === 'AWS::Lambda::Alias',
        )
        .map(({ logicalId }) => logicalId)
    : [];

const DESCRIPTION = 'A resource-oriented HTTP API';

/**
 * Returns the settings of the API that the properties of the resource contain too. API Gateway reads them from an
 * imported document, and SAM reads the binary media types only there.
 *
 * Source: API Gateway Developer Guide, "OpenAPI extensions for API Gateway"; AWS SAM CLI, `CfnApiProvider`.
 */
const settings = ({ isStrict, isClosed }: { isStrict: boolean; isClosed: boolean }): Definition => ({
  'x-amazon-apigateway-binary-media-types': BINARY,
  'x-amazon-apigateway-api-key-source': KEY_SOURCE,
  ...(isClosed ? { 'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: true } } : {}),
  ...(isStrict
    ? { 'x-amazon-apigateway-security-policy': TLS, 'x-amazon-apigateway-endpoint-access-mode': 'STRICT' }
    : {}),
});

/**
 * Returns one log line for each request: method, path template, status and timings. It leaves out the path, the query
 * and the caller, because they can contain personal data.
 *
 * Source: API Gateway Developer Guide, "Variables for access logging for API Gateway".
 */
function accessLog(scope: Construct, options: Options) {
  const group = new LogGroup(scope, 'access-log', {
    retention: options.logRetentionDays,
    removalPolicy: logRetention(options),
  });
  if (options.observability === 'full') countRefusals(group, options);
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
 * Returns the role with which API Gateway invokes the functions of the API, and no others. A permission at each
 * function instead would name the API, which itself names the function: a circle between two stacks.
 *
 * Source: API Gateway Developer Guide, "API Gateway permissions model for invoking an API".
 */
export function invokerOf(scope: Construct, id: string, functions: Iterable<IFunction>): Role {
  const role = new Role(scope, id, {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    description: 'Lets API Gateway invoke the functions of the API',
  });
  role.addToPolicy(
    new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: [...functions].map(({ functionArn }) => functionArn),
    }),
  );
  return role;
}
