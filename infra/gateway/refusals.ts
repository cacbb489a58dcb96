import { files } from '../../service/files.ts';
import { TOKEN_NEEDED } from '../../shared/flow/ending.ts';
import { MAXIMUM_BODY, MAXIMUM_BYTES } from '../../shared/http/maximum-sizes.ts';
import type { ProblemName } from '../../shared/http/problem.ts';
import { PROTECTED_RESOURCE } from '../../shared/resource/link.ts';

/** An error that API Gateway returns, as a problem document of the service. */
export interface Refusal {
  readonly problem: ProblemName;
  /**
   * `$context.authorizer.NAME` is replaced by that value of the authorizer's context. These values are plain words.
   */
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The beginning of `WWW-Authenticate`. */
  readonly challenge?: string;
  /** Extension members of the problem for an API at this base path. */
  readonly members?: (basePath: string) => Readonly<Record<string, unknown>>;
}

const LATER = { 'Retry-After': '1' };
/** API Gateway has one response for a missing and for a wrong token, so it has no error code. Source: RFC 6750 §3.1. */
const CHALLENGE = 'Bearer realm="api"';
const SCOPE_CHALLENGE = 'Bearer realm="api", error="insufficient_scope"';

/**
 * Returns the challenge of a refusal, with the address of the metadata. `address`: of the service; undefined: the
 * gateway response cannot know it. Source: RFC 9728 §5.1; Specification 11.16.
 */
export const challengeFields = (
  { challenge }: Pick<Refusal, 'challenge'>,
  address: string | undefined,
): Readonly<Record<string, string>> =>
  challenge === undefined
    ? {}
    : {
        'WWW-Authenticate':
          address === undefined
            ? challenge
            : `${challenge}, resource_metadata="${address}${PROTECTED_RESOURCE}"`,
      };

/** API Gateway refuses only methods that it does not route: TRACE and nonstandard names. */
const ROUTED = { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' };

const defect = { problem: 'internal', detail: 'The service is not set up correctly' } as const;
const refused = {
  problem: 'forbidden',
  detail: 'The firewall refused the request. Ask the operators, with the requestId',
} as const;

/**
 * Returns the problem of a request that is too large for every route, because API Gateway refuses it without knowing the
 * route. `files`: the name of the store that takes manifests of larger files; undefined: the service has none.
 *
 * Source: Specification 5.15, 10.10.
 */
export function tooLarge(files?: string): Pick<Refusal, 'detail' | 'members'> {
  const detail = `One request can have at most ${MAXIMUM_BYTES} bytes of a file, or ${MAXIMUM_BODY} of other content`;
  if (files === undefined) return { detail: `${detail}. Send less` };
  const link = { rel: files, method: 'POST', title: 'Links for larger uploads' };
  return {
    detail: `${detail}. Announce larger files of /${files} with POST /${files}, and send less of anything else`,
    members: (basePath) => ({ links: [{ ...link, href: `${basePath}/${files}` }] }),
  };
}

/**
 * The errors that API Gateway returns before or after it calls a function, by gateway response type, each as a
 * problem of the service.
 *
 * Source: API Gateway Developer Guide, "Gateway response types", "Mapping template variables"; RFC 9110 §11.6.1; RFC
 * 6750 §3.
 */
export const REFUSALS: ReadonlyMap<string, Refusal> = new Map<string, Refusal>([
  ['UNAUTHORIZED', { problem: 'unauthenticated', detail: TOKEN_NEEDED, challenge: CHALLENGE }],
  [
    'ACCESS_DENIED',
    {
      problem: 'forbidden',
      detail: '$context.authorizer.reason',
      challenge: SCOPE_CHALLENGE,
    },
  ],
  ['EXPIRED_TOKEN', { problem: 'forbidden', detail: 'The credentials have expired. Get new ones' }],
  [
    'INVALID_SIGNATURE',
    { problem: 'forbidden', detail: 'The signature is not valid. Send Authorization: Bearer TOKEN' },
  ],
  // The authorizer selects the key. It is invalid only while a deployment adds or removes keys.
  [
    'INVALID_API_KEY',
    { problem: 'unavailable', detail: 'The limit of the caller is not set up yet', headers: LATER },
  ],
  ['WAF_FILTERED', refused],
  [
    'MISSING_AUTHENTICATION_TOKEN',
    {
      problem: 'method-not-allowed',
      detail: 'No resource has this method. Use one of the methods in Allow',
      headers: ROUTED,
    },
  ],
  [
    'RESOURCE_NOT_FOUND',
    { problem: 'not-found', detail: 'Nothing is at this path. Follow links from the home document' },
  ],
  [
    'THROTTLED',
    {
      problem: 'too-many-requests',
      detail:
        'More requests arrived than the limit of the caller or of the path allows. Wait as long as Retry-After says',
      headers: LATER,
    },
  ],
  ['REQUEST_TOO_LARGE', { problem: 'payload-too-large', ...tooLarge(files?.name) }],
  [
    'UNSUPPORTED_MEDIA_TYPE',
    {
      problem: 'unsupported-media-type',
      detail:
        'The coding or the type of the content is not supported. Send application/json in gzip, or without Content-Encoding',
      headers: { 'Accept-Encoding': 'gzip' },
    },
  ],
  [
    'BAD_REQUEST_BODY',
    { problem: 'validation-error', detail: 'The body is not valid. Compare it with the API description' },
  ],
  [
    'BAD_REQUEST_PARAMETERS',
    {
      problem: 'validation-error',
      detail: 'The parameters are not valid. Compare them with the API description',
    },
  ],
  ['INTEGRATION_FAILURE', { problem: 'bad-gateway', detail: 'The function gave no valid answer' }],
  [
    'INTEGRATION_TIMEOUT',
    { problem: 'timeout', detail: 'The function did not answer in time', headers: LATER },
  ],
  [
    'AUTHORIZER_FAILURE',
    { problem: 'unavailable', detail: 'Credentials cannot be judged at the moment', headers: LATER },
  ],
  ['AUTHORIZER_CONFIGURATION_ERROR', defect],
  ['API_CONFIGURATION_ERROR', defect],
]);
