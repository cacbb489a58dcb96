import { formatHttpDate } from '../http/http-date.ts';
import { formatLinks } from '../http/link.ts';
import type { Response } from '../http/response.ts';
import type { Resource } from '../resource/resource.ts';

/** Tells of every answer of a resource that it will go, and what comes after it. Source: RFC 9745, RFC 8594. */
export function withLifecycle({ lifecycle }: Resource, response: Response, basePath: string): Response {
  if (!lifecycle) return response;
  const { deprecated, sunset, notice, successor } = lifecycle;
  const links = [
    ...(notice === undefined ? [] : [{ rel: 'deprecation', href: basePath + notice }]),
    ...(successor === undefined ? [] : [{ rel: 'successor-version', href: basePath + successor }]),
  ];
  const link = [response.headers.Link, formatLinks(links)].filter(Boolean).join(', ');
  return {
    ...response,
    headers: {
      ...response.headers,
      ...(deprecated === undefined ? {} : { Deprecation: `@${Math.floor(deprecated / 1000)}` }),
      ...(sunset === undefined ? {} : { Sunset: formatHttpDate(sunset) }),
      ...(link === '' ? {} : { Link: link }),
    },
  };
}
