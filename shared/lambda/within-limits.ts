import type { APIGatewayProxyResult } from 'aws-lambda';
import { log } from '../aws/log.ts';
import { problemResponse } from '../flow/response/problem.ts';
import { PROBLEMS, type Problem, type ProblemName, problem } from '../http/problem.ts';
import { isSafe, type Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';

/** Maximum bytes of a function's result as JSON. Source: Lambda quotas, "Invocation payload". */
const MAXIMUM_RESULT = 6_291_556;
/**
 * Maximum bytes of all header fields of a response. Source: API Gateway quotas, "Total combined size of header
 * values".
 */
const MAXIMUM_FIELDS = 10_240;
/** Bytes of header fields that later steps add: CORS, `Server-Timing`, those of API Gateway. */
const ADDED_FIELDS = 2_000;
/** Maximum bytes of a character in the JSON of a result: `\u0001`. */
const LONGEST_ESCAPE = 6;

/**
 * The result of the function for a response. If Lambda or API Gateway would refuse the response, the function
 * returns another one: without `Link`, without content after a write, or a problem.
 */
export async function withinLimits(response: Response, request: Request): Promise<APIGatewayProxyResult> {
  const candidates = [
    () => response,
    () => ({ ...response, headers: without(response, 'Link') }),
    () => substitute(response, request),
  ];
  for (const candidate of candidates) {
    const result = toResult(await candidate());
    if (fits(result)) return result;
  }
  return toResult({ status: response.status, headers: {} });
}

function fits(result: APIGatewayProxyResult): boolean {
  const cookies = result.multiValueHeaders?.['Set-Cookie'] ?? [];
  const fields = [
    ...Object.entries(result.headers ?? {}),
    ...cookies.map((value): [string, typeof value] => ['Set-Cookie', value]),
  ];
  const bytes = fields.reduce(
    (sum, [name, value]) => sum + name.length + Buffer.byteLength(String(value)),
    0,
  );
  if (bytes > MAXIMUM_FIELDS - ADDED_FIELDS) return false;
  const room = MAXIMUM_RESULT - 2 * MAXIMUM_FIELDS;
  if (result.isBase64Encoded) return result.body.length <= room;
  return (
    result.body.length * LONGEST_ESCAPE <= room || Buffer.byteLength(JSON.stringify(result.body)) <= room
  );
}

/** The substitute of a response that is too large. A write has had its effect, so its response keeps the status. */
function substitute(response: Response, request: Request): Response | Promise<Response> {
  const { status } = response;
  if (status < 400 && !isSafe(request.method))
    return { status, headers: without(response, 'Link', 'Content-Type', 'Content-Encoding') };
  if (status < 400) {
    const { requestId, template } = request;
    log('error', { requestId, template, message: 'The response is too large to be carried' });
    return problemResponse(problem('internal', 'The response is too large to be sent'), request);
  }
  return problemResponse(briefProblem(status), request);
}

/** A problem of this status, without details of the request. */
function briefProblem(status: number): Problem {
  const names = Object.keys(PROBLEMS) as ProblemName[];
  const name = status === 400 ? 'validation-error' : names.find((one) => PROBLEMS[one].status === status);
  return problem(
    name ?? 'internal',
    'The request has too many faults to name them. Send less in one request',
  );
}

/**
 * A text with more characters than this is sent as base64. A JSON string escapes each quote and backslash, and a
 * function's result has at most 6 MB. Base64 adds only a third to the size.
 */
const LARGE_TEXT = 1_000_000;

/**
 * The result of a function with an API Gateway proxy integration. Source: API Gateway Developer Guide, "Output
 * format".
 */
export function toResult({ status, headers, cookies, body }: Response): APIGatewayProxyResult {
  const plain = typeof body === 'string' && body.length <= LARGE_TEXT;
  return {
    statusCode: status,
    headers: { ...headers },
    ...(cookies ? { multiValueHeaders: { 'Set-Cookie': [...cookies] } } : {}),
    body:
      body === undefined || plain
        ? ((body as string | undefined) ?? '')
        : Buffer.from(body as string).toString('base64'),
    isBase64Encoded: body !== undefined && !plain,
  };
}

const without = ({ headers }: Response, ...names: readonly string[]): Response['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
