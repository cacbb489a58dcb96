import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { config } from '../aws/config.ts';
import { allowOrigin, variesByOrigin } from '../http/origin.ts';
import { headerOf } from './header.ts';

/** Header fields that scripts of other origins may read. Source: Fetch standard, "CORS-exposed header-name list". */
export const EXPOSED = [
  'ETag',
  'Location',
  'Link',
  'Allow',
  'Accept-Patch',
  'Accept-Ranges',
  'Content-Range',
  'Content-Location',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Preference-Applied',
  'Idempotency-Replayed',
  'Deprecation',
  'Sunset',
].join(', ');

/** Header fields that scripts of other origins may send. */
const ALLOWED = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Content-Digest',
  'Repr-Digest',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'If-Unmodified-Since',
  'If-Range',
  'Prefer',
  'Range',
].join(', ');

/** Seconds a browser may remember the answer to a preflight. */
const MAXIMUM_AGE = '7200';

/** Cross-origin access for every answer, errors included. No credentials: there are no cookies. */
export const cors = (): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => {
  const share = ({
    event,
    response,
  }: {
    event: APIGatewayProxyEvent;
    response?: APIGatewayProxyResult | null;
  }) => {
    if (!response?.headers) return;
    const { headers } = response;
    const configured = config.allowedOrigin();
    const allowed = allowOrigin(configured, headerOf(event, 'origin'));
    if (allowed !== undefined) headers['Access-Control-Allow-Origin'] = allowed;
    if (variesByOrigin(configured)) headers.Vary = headers.Vary ? `${headers.Vary}, Origin` : 'Origin';
    headers['Access-Control-Expose-Headers'] = EXPOSED;
    if (event.httpMethod !== 'OPTIONS') return;
    headers['Access-Control-Allow-Methods'] = String(headers.Allow ?? '');
    headers['Access-Control-Allow-Headers'] = ALLOWED;
    headers['Access-Control-Max-Age'] = MAXIMUM_AGE;
  };
  return { after: share, onError: share };
};
