import { HAS_PAGES } from '#about';
import { negotiate } from '../../http/fields/accept.ts';
import { brief, PROBLEMS, type Problem, problemDetails } from '../../http/problem.ts';
import type { Request } from '../../http/request.ts';
import type { Response } from '../../http/response.ts';
import { html } from '../../representations/html.ts';
import { problemJson } from '../../representations/json.ts';
import type { Representation } from '../../representations/representation.ts';
import { problemXml } from '../../representations/xml/xml.ts';
import { scopeChallenge } from '../../resource/access/access.ts';

/** A client that accepts a format for representations gets problems in the same format. */
const OFFERS = [
  { mediaType: 'application/problem+json', representation: problemJson },
  { mediaType: 'application/json', representation: problemJson },
  { mediaType: 'application/problem+xml', representation: problemXml },
  { mediaType: 'application/xml', representation: problemXml },
  { mediaType: 'text/xml', representation: problemXml },
  ...(HAS_PAGES ? [{ mediaType: 'text/html', representation: html, explicit: true }] : []),
];

/** The media types of problems. */
export const PROBLEM_TYPES: readonly string[] = [
  ...new Set(OFFERS.map(({ representation }) => representation.contentType.replace(/;.*/, ''))),
];

/** Problems have no versions. A request for a version of the resource gets the problem in the same format. */
const withoutVersions = (accept: string | undefined): string | undefined =>
  accept?.replace(/;\s*version=[0-9]+/gi, '');

/** The header fields of a problem, with the challenge that names missing scopes. */
export const headersOf = ({ headers, scopes }: Problem): Readonly<Record<string, string>> => ({
  ...headers,
  ...(scopes ? scopeChallenge(scopes) : {}),
});

/** The response that represents a problem. Source: RFC 9457 §3. */
export async function problemResponse(problem: Problem, request: Request): Promise<Response> {
  const { basePath, path, sentPath = path, requestId, headers } = request;
  const members = problemDetails(problem, { basePath, instance: basePath + sentPath, requestId });
  // An error never becomes a 406: if no format fits, the problem is JSON.
  const chosen: Representation =
    negotiate(withoutVersions(headers.accept), OFFERS)?.representation ?? problemJson;
  return {
    status: PROBLEMS[problem.name].status,
    headers: {
      'Content-Type': chosen.contentType,
      'Cache-Control': 'no-store',
      Vary: 'Accept',
      ...chosen.headers,
      ...headersOf(problem),
    },
    body: await chosen.write(
      { kind: 'problem', name: 'problem', members, problem: brief(problem) },
      { request },
    ),
  };
}
