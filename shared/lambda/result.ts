import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Response } from '../http/response.ts';

/**
 * Characters of text above which it travels as base64. As a JSON string each quote and backslash of it would be
 * escaped, and a function answers at most 6 MB; base64 never takes more than 4/3.
 */
const LARGE_TEXT = 1_000_000;

/** The answer of a function behind an API Gateway proxy integration. Source: API Gateway Developer Guide, "Output format". */
export function toResult({ status, headers, body }: Response): APIGatewayProxyResult {
  const plain = typeof body === 'string' && body.length <= LARGE_TEXT;
  return {
    statusCode: status,
    headers: { ...headers },
    body:
      body === undefined || plain
        ? ((body as string | undefined) ?? '')
        : Buffer.from(body as string).toString('base64'),
    isBase64Encoded: body !== undefined && !plain,
  };
}
