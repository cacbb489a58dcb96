import { negotiate } from '../../http/accept.ts';
import { PROBLEMS, type Problem, problemDetails } from '../../http/problem.ts';
import type { Request } from '../../http/request.ts';
import type { Response } from '../../http/response.ts';
import { html } from '../../pages/html.ts';
import { problemJson } from '../../representations/json.ts';
import type { Representation } from '../../representations/representation.ts';
import { problemXml } from '../../representations/xml.ts';

/** Whoever accepts a format of representations gets problems in it. */
const OFFERS = [
  { mediaType: 'application/problem+json', representation: problemJson },
  { mediaType: 'application/json', representation: problemJson },
  { mediaType: 'application/problem+xml', representation: problemXml },
  { mediaType: 'application/xml', representation: problemXml },
  { mediaType: 'text/xml', representation: problemXml },
  { mediaType: 'text/html', representation: html, explicit: true },
];

/** The media types that problems come in. */
export const PROBLEM_TYPES: readonly string[] = [
  ...new Set(OFFERS.map(({ representation }) => representation.contentType.replace(/;.*/, ''))),
];

/** Problems have no versions: whoever asks for one of the resource's gets its format. */
const withoutVersions = (accept: string | undefined): string | undefined =>
  accept?.replace(/;\s*version=[0-9]+/gi, '');

/** The response that states a problem. Source: RFC 9457 §3. */
export async function problemResponse(problem: Problem, request: Request): Promise<Response> {
  const { basePath, path, requestId, headers } = request;
  const members = problemDetails(problem, { basePath, instance: basePath + path, requestId });
  // An error is never a 406: where nothing fits it is JSON.
  const chosen: Representation =
    negotiate(withoutVersions(headers.accept), OFFERS)?.representation ?? problemJson;
  return {
    status: PROBLEMS[problem.name].status,
    headers: {
      'Content-Type': chosen.contentType,
      'Cache-Control': 'no-store',
      Vary: 'Accept',
      ...chosen.headers,
      ...problem.headers,
    },
    body: await chosen.write({ kind: 'problem', name: 'problem', members }, request),
  };
}
