import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { headerOf } from './header.ts';

/** Header fields of every answer. Source: Fetch standard §3.7. */
export const PROTECTIVE = { 'X-Content-Type-Options': 'nosniff' };

/** Header fields of every answer over TLS; two years. Source: RFC 6797 §6.1, §7.2. */
export const TRANSPORT = { 'Strict-Transport-Security': 'max-age=63072000' };

/** Adds them to every answer, errors included. API Gateway sets `X-Forwarded-Proto`. */
export const protective = (): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => {
  const protect = ({
    event,
    response,
  }: {
    event: APIGatewayProxyEvent;
    response?: APIGatewayProxyResult | null;
  }) => {
    if (!response?.headers) return;
    Object.assign(response.headers, PROTECTIVE);
    if (headerOf(event, 'x-forwarded-proto') === 'https') Object.assign(response.headers, TRANSPORT);
  };
  return { after: protect, onError: protect };
};
