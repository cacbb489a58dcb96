import { challengeFields, REFUSALS, type Refusal } from '../../infra/gateway/refusals.ts';
import { PROBLEMS, type ProblemName, problem, problemDetails } from '../../shared/http/problem.ts';
import { EXPOSED, PROTECTIVE } from '../../shared/lambda/finish.ts';
import type { WireResponse } from './answer.ts';

/** The request that a problem is about. */
export interface ProblemContext {
  readonly instance: string;
  readonly requestId: string;
  readonly basePath?: string;
  /** The origin that the client used. */
  readonly origin?: string;
  /** The Access-Control-Allow-Origin of the response, if it has one. */
  readonly sharedWith?: string | undefined;
}

/** Returns an error of API Gateway, in the form of the deployed gateway responses. */
export function gatewayProblem(
  name: ProblemName,
  detail: string,
  { instance, requestId, basePath = '', sharedWith }: ProblemContext,
  { headers, members }: Pick<Refusal, 'headers' | 'members'> = {},
): WireResponse {
  const { status } = PROBLEMS[name];
  const stated = problem(name, detail, members && { members: members(basePath) });
  const details = problemDetails(stated, { basePath, instance, requestId });
  const body = JSON.stringify(details);
  return {
    status,
    headers: [
      ['Content-Type', 'application/problem+json'],
      ['Cache-Control', 'no-store'],
      ...(sharedWith === undefined ? [] : [['Access-Control-Allow-Origin', sharedWith] as const]),
      ...(sharedWith === undefined ? [] : [['Access-Control-Expose-Headers', EXPOSED] as const]),
      ...Object.entries(PROTECTIVE),
      ['Content-Length', String(Buffer.byteLength(body))],
      ...Object.entries({ ...(status === 503 || status === 504 ? { 'Retry-After': '1' } : {}), ...headers }),
    ],
    body,
  };
}

/** Returns the gateway response of a type. `context` is the context from the authorizer; `headers` are more fields. */
export function refusal(
  type: string,
  place: ProblemContext,
  context: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): WireResponse {
  const stated = REFUSALS.get(type);
  if (!stated) throw new Error(`There is no gateway response for ${type}`);
  const detail = stated.detail.replace(/\$context\.authorizer\.(\w+)/g, (_, name) =>
    String(context[name] ?? ''),
  );
  return gatewayProblem(stated.problem, detail, place, {
    ...stated,
    headers: {
      ...stated.headers,
      ...challengeFields(stated, place.origin && `${place.origin}${place.basePath ?? ''}`),
      ...headers,
    },
  });
}
