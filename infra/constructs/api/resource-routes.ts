import {
  AuthorizationType,
  type IAuthorizer,
  LambdaIntegration,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Resource } from '../../../shared/resource/resource.ts';
import { routesOf } from '../../gateway/routing.ts';

/**
 * Routes every path of every resource, and the catch-all path, with any method to the function of the resource. The
 * function itself therefore responds with 404, 405 and 415.
 *
 * OPTIONS has its own method without authorizer, because the preflight request of a browser carries no credentials.
 * If there is an authorizer, it checks all other requests except those to public paths, and names their API key. The operation names differ,
 * because SAM would otherwise merge the two methods.
 *
 * Source: API Gateway Developer Guide, "Set up a proxy resource"; Fetch standard, "CORS-preflight fetch".
 */
export function addRoutes(
  api: RestApi,
  registry: readonly Resource[],
  functions: ReadonlyMap<string, IFunction>,
  authorizer?: IAuthorizer,
): void {
  const integrations = new Map(
    [...functions].map(([name, lambda]) => [
      name,
      new LambdaIntegration(lambda, { scopePermissionToMethod: false }),
    ]),
  );
  for (const { template, resource, isOpen } of routesOf(registry)) {
    const path = template === '/' ? api.root : api.root.resourceForPath(template);
    for (const method of ['ANY', 'OPTIONS']) {
      path.addMethod(method, integrations.get(resource), {
        operationName: operationName(method, template),
        ...(authorizer && method === 'ANY' && !isOpen
          ? { authorizationType: AuthorizationType.CUSTOM, authorizer, apiKeyRequired: true }
          : { authorizationType: AuthorizationType.NONE }),
      });
    }
  }
}

/** `ANY /customers/{id}/orders` is `anyCustomersIdOrders`. */
function operationName(method: string, template: string): string {
  const words = template.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
  return method.toLowerCase() + (name || 'Root');
}
