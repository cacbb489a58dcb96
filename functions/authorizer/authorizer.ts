import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import type { JWTVerifyGetKey } from 'jose';
import { keysOf } from '../../shared/authorization/issuer.ts';
import {
  type Bearer,
  NotAuthenticated,
  principalOf,
  UNAUTHORIZED,
} from '../../shared/authorization/token.ts';
import { auditKey } from '../../shared/aws/audit-key.ts';
import { config } from '../../shared/aws/config.ts';
import { faultOf, log } from '../../shared/aws/log.ts';
import { cookiesOf } from '../../shared/http/fields/cookie.ts';
import { cookieName, isForPerson, SIGN_IN_CLIENT } from '../../shared/http/sign-in.ts';
import {
  adviceOnScopes,
  type ClosedPaths,
  DENIED,
  eachScope,
  lackingScopes,
} from '../../shared/resource/access/access.ts';
import { callerHash } from '../../shared/resource/access/owner.ts';
import { usageKeyOf, visitorsKey } from './usage-key.ts';

/** The subject in the log for a request without a caller. No token has it, because it contains a space. */
const VISITOR = 'a visitor';

/** What the authorizer knows of its deployment. */
interface Surroundings {
  /** The prefix of all paths of the service. The names of its cookies contain it. */
  readonly basePathOf: (event: APIGatewayRequestAuthorizerEvent) => string;
  /** True if an operator denies the subject of a valid token access. */
  readonly isDenied: (subject: string) => Promise<boolean>;
}

/**
 * The handler that API Gateway calls before any function. It identifies the bearer of the token (else 401). It then
 * checks whether their scopes allow the method at the path (else 403), and passes the caller to the function.
 *
 * If the stage has a client for the sign-in on pages, the token may be in a cookie. The function then answers browsers
 * that ask for a page: with a redirect to the sign-in, with the form again, or with a page about the missing scope. It
 * refuses everything else without a caller, because the result for a visitor names a caller whose token has expired.
 *
 * The result has the API key by which API Gateway limits the requests of the caller, and the hash by which logs
 * distinguish callers. Functions of resources therefore need no key of these hashes.
 *
 * Without that client, API Gateway caches the result by token, method and path template, so the result depends on
 * nothing else. `closed`: the path templates that need credentials, with what each needs. Every other template is denied.
 * The context of a refusal has the `reason`, for the gateway response.
 *
 * @throws Error 'Unauthorized' without a valid token; IssuerUnavailable when the issuer does not respond; Error of the
 * AWS SDK when DynamoDB or Secrets Manager does not
 *
 * Source: API Gateway Developer Guide, "Use API Gateway Lambda authorizers"; RFC 6750 §2.1, §3.1; Specification 11.8,
 * 11.12.
 */
export function authorizing(closed: ClosedPaths, { basePathOf, isDenied }: Surroundings) {
  let keys: JWTVerifyGetKey | undefined;
  const resources = [...new Set(Object.values(closed).flatMap(({ resource }) => resource ?? []))];
  return async (event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    const { token, isPerson } = credentialsOf(event, basePathOf(event));
    const refused = (cause?: NotAuthenticated): APIGatewayAuthorizerResult => {
      if (isPerson && Object.hasOwn(closed, event.resource)) return visitor(event);
      throw new Error(UNAUTHORIZED, { cause });
    };
    if (token === undefined) return refused();
    const terms = { issuer: config.issuer(), audience: config.audience(), scopePrefix: config.scopePrefix() };
    keys ??= keysOf(terms.issuer, config.jwksUri());
    try {
      const bearer = await principalOf(token, terms, keys);
      const [isRefused, key] = await Promise.all([isDenied(bearer.subject), auditKey()]);
      if (isRefused) return denied(event, bearer.subject, DENIED);
      const scopes = eachScope(bearer.scopes, resources);
      const caller = key === undefined ? {} : { caller: callerHash(key, bearer.subject) };
      return judged(event, { ...bearer, ...caller, scopes }, closed, isPerson);
    } catch (error) {
      if (error instanceof NotAuthenticated) return refused(error);
      log('warn', { requestId: event.requestContext?.requestId, ...faultOf(error) });
      throw error;
    }
  };
}

const denied = (event: APIGatewayRequestAuthorizerEvent, subject: string, reason: string) =>
  policy(event, 'Deny', subject, usageKeyOf(serviceName(), subject), { reason });

/** The policy for a known caller. The function itself shows a person which scope is missing. */
function judged(
  event: APIGatewayRequestAuthorizerEvent,
  { subject, caller, scopes, expires, tenant }: Bearer & { readonly caller?: string },
  closed: ClosedPaths,
  isPerson: boolean,
): APIGatewayAuthorizerResult {
  const deny = (reason: string) => denied(event, subject, reason);
  const path = Object.hasOwn(closed, event.resource) ? closed[event.resource] : undefined;
  if (path === undefined) return deny('No scope allows this. Follow links from the home document');
  const lacking = lackingScopes(path, event.httpMethod, scopes);
  if (lacking.length > 0 && !isPerson) return deny(adviceOnScopes(lacking));
  return policy(event, 'Allow', subject, usageKeyOf(serviceName(), subject), {
    scope: scopes.join(' '),
    expires,
    ...(caller === undefined ? {} : { caller }),
    ...(tenant === undefined ? {} : { tenant }),
  });
}

/** The policy for a browser without a valid token: the function gets a caller whose token expired in 1970. */
const visitor = (event: APIGatewayRequestAuthorizerEvent): APIGatewayAuthorizerResult =>
  policy(event, 'Allow', VISITOR, visitorsKey(serviceName()), { expires: 0 });

const serviceName = (): string => config.service() ?? 'local';

/** The token of a request, if it has one, and whether a browser wants a page. */
interface Credentials {
  readonly token: string | undefined;
  readonly isPerson: boolean;
}

/**
 * The token of the `Authorization` header field, if there is exactly one field. Without the field, the token of the
 * cookie counts. Source: RFC 6750 §2.1; Specification 11.12.
 */
function credentialsOf(
  { multiValueHeaders, headers, stageVariables }: APIGatewayRequestAuthorizerEvent,
  basePath: string,
): Credentials {
  const all = Object.entries(multiValueHeaders ?? headers ?? {});
  const valuesOf = (wanted: string): readonly string[] =>
    all.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value ?? []] : [])).flat();
  const authorization = valuesOf('authorization');
  if (authorization.length > 0 || stageVariables?.[SIGN_IN_CLIENT] === undefined) {
    const [, token] =
      /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization.length === 1 ? (authorization[0] ?? '') : '') ??
      [];
    return { token, isPerson: false };
  }
  const accept = valuesOf('accept');
  return {
    token: cookiesOf(valuesOf('cookie').join(';')).get(cookieName('access', basePath)) || undefined,
    isPerson: isForPerson({ accept: accept.length > 0 ? accept.join(', ') : undefined }),
  };
}

/** Source: API Gateway Developer Guide, "Output from an API Gateway Lambda authorizer". */
function policy(
  { methodArn, httpMethod }: APIGatewayRequestAuthorizerEvent,
  Effect: 'Allow' | 'Deny',
  principalId: string,
  usageIdentifierKey: string,
  context: Record<string, string | number>,
): APIGatewayAuthorizerResult {
  const [api, stage] = methodArn.split('/');
  const Resource = `${api}/${stage}/${httpMethod}/*`;
  return {
    principalId,
    usageIdentifierKey,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect, Resource }],
    },
    context,
  };
}
