import { UNAUTHORIZED } from '../../shared/authorization/token.ts';
import { currentTime } from '../../shared/aws/clock.ts';
import { scopeFor } from '../../shared/resource/access/access.ts';
import type { Invocation } from './invocation.ts';

/** A GET without an effect. `path` has no parameters. */
export interface Probe {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Undefined: GET. OPTIONS: the resource has no GET at such a path. */
  readonly method?: 'GET' | 'OPTIONS';
}

/** A harmless event for new code, and a judgement of its end. */
export interface Check {
  /** `id`: the id of the request in the log of the function. */
  readonly event: (id: string) => object;
  /** Says why the end is wrong; undefined: it is right. */
  readonly fault: (end: Invocation) => string | undefined;
}

/** The caller of a probe in the log of the function. */
const CALLER = 'pre-traffic';

/**
 * Returns the check of a resource: a GET must succeed. The event is that of API Gateway, after its authorizer.
 *
 * Source: API Gateway Developer Guide, "Input format of a Lambda function for proxy integration".
 */
export const requestCheck = (resource: string, { path, query, method = 'GET' }: Probe): Check => ({
  event: (id) => ({
    resource: path,
    path,
    httpMethod: method,
    headers: {},
    multiValueHeaders: {},
    queryStringParameters: query,
    multiValueQueryStringParameters: Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, [value]]),
    ),
    pathParameters: null,
    stageVariables: null,
    body: null,
    isBase64Encoded: false,
    requestContext: {
      requestId: id,
      requestTimeEpoch: currentTime(),
      httpMethod: method,
      path,
      resourcePath: path,
      stage: CALLER,
      identity: {},
      authorizer: { principalId: CALLER, scope: scopeFor(resource, 'GET') },
    },
  }),
  fault: (end) => {
    if (end.kind === 'threw') return `it threw an error: ${end.message}`;
    const { statusCode } = (end.value ?? {}) as { readonly statusCode?: number };
    return statusCode !== undefined && statusCode < 400 ? undefined : `${method} ${path} got ${statusCode}`;
  },
});

/** A token in the form of a JWT, with a key that no issuer has. */
const FORGED = `${[{ alg: 'RS256', kid: CALLER }, {}].map(encoded).join('.')}.${encoded(CALLER)}`;

function encoded(part: object | string): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/**
 * The check of the authorizer: it must refuse a forged token with 401. It can refuse the token only after it has read
 * the keys of the issuer, so a wrong address of the issuer fails the check.
 *
 * Source: API Gateway Developer Guide, "Input to an API Gateway Lambda authorizer".
 */
export const tokenCheck: Check = {
  event: (id) => ({
    type: 'REQUEST',
    methodArn: `arn:aws:execute-api:::${CALLER}/${CALLER}/GET/`,
    resource: '/',
    path: '/',
    httpMethod: 'GET',
    headers: { Authorization: `Bearer ${FORGED}` },
    multiValueHeaders: { Authorization: [`Bearer ${FORGED}`] },
    requestContext: { requestId: id },
  }),
  fault: (end) => {
    if (end.kind === 'returned') return 'it accepted a forged token';
    return end.message === UNAUTHORIZED ? undefined : `it threw an error: ${end.message}`;
  },
};
