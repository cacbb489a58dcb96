import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import type { JWTVerifyGetKey } from 'jose';
import { config } from '../aws/config.ts';
import { faultOf, log } from '../aws/log.ts';
import { scopeOf } from '../resource/access.ts';
import { keysOf } from './issuer.ts';
import { NotAuthenticated, principalOf } from './token.ts';
import { usageKeyOf } from './usage-key.ts';

/**
 * The exact message that makes API Gateway respond 401. Source: API Gateway Developer Guide, "Output from an API
 * Gateway Lambda authorizer".
 */
export const UNAUTHORIZED = 'Unauthorized';

/**
 * The handler that API Gateway calls before any function. It identifies the bearer of the token (else 401). It then
 * checks whether their scopes allow the method at the path (else 403), and passes the caller to the function.
 *
 * The result has the API key by which API Gateway limits the requests of the caller.
 *
 * API Gateway caches the result by token, method and path template, so the result depends on nothing else.
 * `closed`: the path templates that need credentials, each with the resource whose scope it needs, or null. Every
 * other template is denied. The context of a refusal has the `reason`, for the gateway response.
 *
 * @throws Error 'Unauthorized' without a valid token; IssuerUnavailable when the issuer does not respond
 *
 * Source: API Gateway Developer Guide, "Use API Gateway Lambda authorizers"; RFC 6750 §2.1, §3.1.
 */
export function authorizing(closed: Readonly<Record<string, string | null>>) {
  let keys: JWTVerifyGetKey | undefined;
  return async (event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    const token = bearerToken(event);
    if (token === undefined) throw new Error(UNAUTHORIZED);
    const terms = { issuer: config.issuer(), audience: config.audience(), scopePrefix: config.scopePrefix() };
    keys ??= keysOf(terms.issuer, config.jwksUri());
    try {
      const { subject, scopes, expires, tenant } = await principalOf(token, terms, keys);
      const resource = Object.hasOwn(closed, event.resource) ? closed[event.resource] : undefined;
      if (resource === undefined)
        return policy(event, 'Deny', subject, {
          reason: 'No scope allows this. Follow links from the home document',
        });
      const needed = resource === null ? undefined : scopeOf(resource, undefined, event.httpMethod);
      return needed === undefined || scopes.includes(needed)
        ? policy(event, 'Allow', subject, {
            scope: scopes.join(' '),
            expires,
            ...(tenant === undefined ? {} : { tenant }),
          })
        : policy(event, 'Deny', subject, { reason: `The scope ${needed} is needed. Get a token with it` });
    } catch (error) {
      if (!(error instanceof NotAuthenticated)) {
        log('warn', { requestId: event.requestContext?.requestId, ...faultOf(error) });
        throw error;
      }
      throw new Error(UNAUTHORIZED, { cause: error });
    }
  };
}

/** The token of the `Authorization` header field, if there is exactly one field. Source: RFC 6750 §2.1. */
function bearerToken({ multiValueHeaders, headers }: APIGatewayRequestAuthorizerEvent): string | undefined {
  const all = Object.entries(multiValueHeaders ?? headers ?? {});
  const values = all
    .flatMap(([name, value]) => (name.toLowerCase() === 'authorization' ? [value] : []))
    .flat();
  const [, token] =
    /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(values.length === 1 ? (values[0] ?? '') : '') ?? [];
  return token;
}

/** Source: API Gateway Developer Guide, "Output from an API Gateway Lambda authorizer". */
function policy(
  { methodArn, httpMethod }: APIGatewayRequestAuthorizerEvent,
  Effect: 'Allow' | 'Deny',
  principalId: string,
  context: Record<string, string | number>,
): APIGatewayAuthorizerResult {
  const [api, stage] = methodArn.split('/');
  const Resource = `${api}/${stage}/${httpMethod}/*`;
  return {
    principalId,
    usageIdentifierKey: usageKeyOf(config.service() ?? 'local', principalId),
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect, Resource }],
    },
    context,
  };
}
