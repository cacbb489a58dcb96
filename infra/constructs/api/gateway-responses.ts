import { PROBLEMS, typeOf } from '../../../shared/http/problem.ts';
import { EXPOSED, PROTECTIVE, TRANSPORT } from '../../../shared/lambda/finish.ts';
import { challengeFields, REFUSALS } from '../../gateway/refusals.ts';
import { rateHeaders, throttlingOf } from '../../gateway/throttling.ts';
import { addressOf, type Options, pathPrefix } from '../../options.ts';
import type { Definition } from './paths.ts';

/**
 * API Gateway's own errors as problem details, by type of gateway response. The two defaults set no status, because a
 * status there would replace the status of every other error.
 *
 * Source: API Gateway Developer Guide, "Gateway response types", "x-amazon-apigateway-gateway-responses object"; RFC
 * 9457 §3, §4.2.1; RFC 9110 §11.6.1.
 */
export function gatewayResponses(options: Options): Definition {
  const { allowedOrigin = '*' } = options;
  const basePath = pathPrefix(options);
  const own = [...REFUSALS].map(([type, refusal]): [string, Definition] => {
    const { problem, detail, headers, members } = refusal;
    const { status, title } = PROBLEMS[problem];
    const document = {
      type: typeOf(problem, basePath),
      title,
      status,
      detail,
      ...members?.(basePath),
    };
    const all = {
      ...headers,
      ...challengeFields(refusal, addressOf(options)),
      ...(type === 'THROTTLED' ? rateHeaders(throttlingOf(options)) : {}),
    };
    return [type, { statusCode: String(status), ...answer(document, allowedOrigin, all) }];
  });
  const byDefault = Object.entries(DEFAULTS).map(([type, title]): [string, Definition] => [
    type,
    answer({ type: 'about:blank', title }, allowedOrigin),
  ]);
  return Object.fromEntries([...own, ...byDefault]);
}

/** The titles of errors that have no gateway response of their own. */
const DEFAULTS = { DEFAULT_4XX: 'The request was refused', DEFAULT_5XX: 'The service failed' };

/**
 * API Gateway selects a template by the media type in its key; the response still has the given Content-Type. API
 * Gateway requires quotes around header values.
 */
function answer(
  members: Readonly<Record<string, unknown>>,
  allowedOrigin: string,
  headers: Readonly<Record<string, string>> = {},
): Definition {
  const all = {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': allowedOrigin,
    'Access-Control-Expose-Headers': EXPOSED,
    ...PROTECTIVE,
    ...TRANSPORT,
    ...headers,
  };
  const where = { instance: 'urn:request:$context.requestId', requestId: '$context.requestId' };
  return {
    responseParameters: Object.fromEntries(
      Object.entries(all).map(([name, value]) => [`gatewayresponse.header.${name}`, `'${value}'`]),
    ),
    responseTemplates: { 'application/json': JSON.stringify({ ...members, ...where }) },
  };
}
