import { Aws, CfnOutput } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Route } from '../../gateway/routing.ts';

/** A part of an OpenAPI document. */
export type Definition = Readonly<Record<string, unknown>>;

/** The name of the authorizer in the definition of the API. */
export const AUTHORIZER = 'token';
/** The name of the API key in the definition. */
export const API_KEY = 'api_key';

/** The extension of OpenAPI for all methods that have no operation of their own. */
const ANY_METHOD = 'x-amazon-apigateway-any-method';

export interface PathsProps {
  readonly routes: readonly Route[];
  /** The functions by the name of their resource. */
  readonly functions: ReadonlyMap<string, IFunction>;
  /** The ARN of the role with which API Gateway invokes the functions. */
  readonly invoker: string;
  /** True if the API has an authorizer. */
  readonly isAuthorized: boolean;
}

/**
 * Returns the paths of the API. Every path of every resource, and the catch-all path, leads with any method to the
 * function of the resource. The function itself therefore responds with 404, 405 and 415.
 *
 * OPTIONS has its own method without authorizer, because the preflight request of a browser carries no credentials.
 * If there is an authorizer, it checks all other requests except those to public paths, and names their API key. The
 * operation names differ, because SAM would otherwise merge the two methods. OpenAPI requires `responses`.
 *
 * Source: API Gateway Developer Guide, "Set up a proxy resource", "x-amazon-apigateway-any-method object"; Fetch
 * standard, "CORS-preflight fetch".
 */
export function pathsOf({ routes, functions, invoker, isAuthorized }: PathsProps): Definition {
  const addresses = new Map([...functions].map(([name, lambda]) => [name, addressOf(lambda)]));
  return Object.fromEntries(
    routes.map(({ template, resource, isOpen }) => {
      const uri = addresses.get(resource);
      if (uri === undefined) throw new Error(`The resource ${resource} has no function`);
      const integration = {
        responses: {},
        'x-amazon-apigateway-integration': {
          type: 'aws_proxy',
          httpMethod: 'POST',
          uri,
          credentials: invoker,
        },
      };
      const request = {
        operationId: operationName('', template),
        ...(isAuthorized && !isOpen ? { security: [{ [AUTHORIZER]: [] }, { [API_KEY]: [] }] } : {}),
        ...integration,
      };
      const preflight = { operationId: operationName('o', template), ...integration };
      return [template, { [ANY_METHOD]: request, options: preflight }];
    }),
  );
}

/**
 * Returns the address of a function for the definition of the API. A nested stack makes the address of its function
 * itself, because the definition names it for each path, and a template has at most 1 MB.
 */
function addressOf(lambda: IFunction): string {
  const { stack } = lambda;
  if (!stack.nestedStackResource) return invocation(lambda);
  const { logicalId } = new CfnOutput(stack, 'Invocation', { value: invocation(lambda) });
  return stack.nestedStackResource.getAtt(`Outputs.${logicalId}`).toString();
}

/** Returns the address with which API Gateway invokes a function. Source: API Gateway API Reference, Integration, `uri`. */
export const invocation = ({ functionArn }: IFunction): string =>
  `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/2015-03-31/functions/${functionArn}/invocations`;

/** `/customers/{id}/orders` is `customersIdOrders`, and its OPTIONS `oCustomersIdOrders`. A template has at most 1 MB. */
function operationName(prefix: '' | 'o', template: string): string {
  const words = template.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('') || 'Root';
  return prefix === '' ? name.charAt(0).toLowerCase() + name.slice(1) : prefix + name;
}
