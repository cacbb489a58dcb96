import { PROBLEMS, type ProblemName, problem, problemDetails } from '../../../shared/http/problem.ts';
import { EXPOSED } from '../../../shared/lambda/cors.ts';
import type { WireResponse } from './answer.ts';

/** An error that API Gateway makes itself, in the shape that the deployed gateway responses give it. */
export function gatewayProblem(
  name: ProblemName,
  detail: string,
  { instance, requestId, basePath = '' }: { instance: string; requestId: string; basePath?: string },
): WireResponse {
  const { status } = PROBLEMS[name];
  const details = problemDetails(problem(name, detail), { basePath, instance, requestId });
  const body = Buffer.from(JSON.stringify(details));
  return {
    status,
    headers: [
      ['Content-Type', 'application/problem+json'],
      ['Cache-Control', 'no-store'],
      ['Access-Control-Allow-Origin', '*'],
      ['Access-Control-Expose-Headers', EXPOSED],
      ['Content-Length', String(body.length)],
      ...(status === 503 || status === 504 ? ([['Retry-After', '1']] as const) : []),
    ],
    body,
  };
}
