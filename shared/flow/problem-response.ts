import { PROBLEMS, type Problem, problemDetails } from '../http/problem.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { problemJson } from '../representations/json.ts';

/** The response that states a problem. Source: RFC 9457 §3. */
export function problemResponse(
  problem: Problem,
  { basePath, path, requestId }: Pick<Request, 'basePath' | 'path' | 'requestId'>,
): Response {
  const members = problemDetails(problem, { basePath, instance: basePath + path, requestId });
  return {
    status: PROBLEMS[problem.name].status,
    headers: { 'Content-Type': problemJson.contentType, 'Cache-Control': 'no-store', ...problem.headers },
    body: problemJson.write({ kind: 'problem', members }),
  };
}
