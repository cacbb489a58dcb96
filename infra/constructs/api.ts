import { Validations } from 'aws-cdk-lib';
import { type CfnRestApi, EndpointType, RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import type { Options } from '../options.ts';

/** Bodies of all types pass through unchanged: without this, bytes that are no UTF-8 are replaced. */
const BINARY = ['*/*'];

/**
 * The front door: a regional REST API with one throttled stage. Compression stays off, since it would leave a strong
 * entity tag on bytes that it changed; logging needs a role of the whole account, which is not this stack's to set.
 *
 * Source: API Gateway Developer Guide, "Working with binary media types", "Throttle requests to your REST APIs".
 */
export function restApi(scope: Construct, id: string, options: Options): RestApi {
  const api = new RestApi(scope, id, {
    restApiName: options.name,
    description: 'A resource-oriented HTTP API',
    endpointTypes: [EndpointType.REGIONAL],
    binaryMediaTypes: BINARY,
    cloudWatchRole: false,
    deployOptions: {
      stageName: options.stage,
      throttlingRateLimit: options.rateLimit,
      throttlingBurstLimit: options.burstLimit,
      dataTraceEnabled: false,
    },
  });
  // The stack has an output of its own.
  api.node.tryRemoveChild('Endpoint');
  if (options.local) declareBinaryTypesToSam(api);
  return api;
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
