import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { formatHttpDate } from '../http/conditional/http-date.ts';
import { formatLinks } from '../http/fields/link.ts';
import type { Lifecycle } from '../resource/facts.ts';
import { basePathOf } from './event.ts';

/**
 * Adds `Deprecation`, `Sunset` and their links to every response of a resource with a lifecycle, also to errors.
 *
 * Source: RFC 9745; RFC 8594; Specification 12.3.
 */
export function addLifecycle(
  headers: NonNullable<APIGatewayProxyResult['headers']>,
  event: APIGatewayProxyEvent,
  { deprecated, sunset, notice, successor }: Lifecycle,
): void {
  const basePath = basePathOf(event);
  if (deprecated !== undefined) headers.Deprecation = `@${Math.floor(deprecated / 1000)}`;
  if (sunset !== undefined) headers.Sunset = formatHttpDate(sunset);
  const links = [
    ...(notice === undefined ? [] : [{ rel: 'deprecation', href: basePath + notice }]),
    ...(successor === undefined ? [] : [{ rel: 'successor-version', href: basePath + successor }]),
  ];
  if (links.length > 0) headers.Link = [headers.Link, formatLinks(links)].filter(Boolean).join(', ');
}
