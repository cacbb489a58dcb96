import type {
  APIGatewayAuthorizerResult,
  APIGatewayProxyEvent,
  APIGatewayRequestAuthorizerEvent,
  Statement,
} from 'aws-lambda';
import { UNAUTHORIZED } from '../../shared/authorization/token.ts';

type AuthorizerFunction = (event: APIGatewayRequestAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

/** The authorizer context for the function, or the type of gateway response for the client. */
export type Authorization =
  | { readonly context: Readonly<Record<string, unknown>>; readonly usageKey: string | undefined }
  | { readonly refusal: 'UNAUTHORIZED' | 'AUTHORIZER_FAILURE'; readonly context?: undefined }
  | { readonly refusal: 'ACCESS_DENIED'; readonly context: Readonly<Record<string, unknown>> };

/**
 * Returns a REQUEST authorizer as API Gateway runs it without a cache: the function decides about every request.
 *
 * Source: API Gateway Developer Guide, "Use API Gateway Lambda authorizers", "Configure a Lambda authorizer".
 */
export function requestAuthorizer(lambda: AuthorizerFunction) {
  return async (event: APIGatewayProxyEvent): Promise<Authorization> => {
    const request = authorizerEvent(event);
    try {
      const { principalId, policyDocument, context, usageIdentifierKey } = await lambda(request);
      return isAllowed(policyDocument.Statement, request.methodArn)
        ? { context: { ...context, principalId }, usageKey: usageIdentifierKey ?? undefined }
        : { refusal: 'ACCESS_DENIED', context: context ?? {} };
    } catch (error) {
      if ((error as Error).message === UNAUTHORIZED) return { refusal: 'UNAUTHORIZED' };
      console.error(JSON.stringify({ level: 'error', function: 'authorizer', error: String(error) }));
      return { refusal: 'AUTHORIZER_FAILURE' };
    }
  };
}

/** Returns the event of a REQUEST authorizer: the event of the integration without its body. */
function authorizerEvent(event: APIGatewayProxyEvent): APIGatewayRequestAuthorizerEvent {
  const { body: _body, isBase64Encoded: _encoded, ...rest } = event;
  const { accountId, apiId, stage } = event.requestContext;
  const methodArn = `arn:aws:execute-api:us-east-1:${accountId}:${apiId}/${stage}/${event.httpMethod}${event.path}`;
  return { ...rest, type: 'REQUEST', methodArn } as APIGatewayRequestAuthorizerEvent;
}

/** True if the policy of the authorizer, whose only statement is about all paths of a method, allows the request. */
function isAllowed([statement]: readonly Statement[], arn: string): boolean {
  if (!statement || !('Resource' in statement)) return false;
  return statement.Effect === 'Allow' && arn.startsWith(String(statement.Resource).replace(/\*$/, ''));
}
