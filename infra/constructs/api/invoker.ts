import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

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
