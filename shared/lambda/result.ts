import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Response } from '../http/response.ts';

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
