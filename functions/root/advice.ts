import type { ProblemName } from '../../shared/http/problem.ts';

/** For each problem type: its meaning, and what the client can do next. */
export const ADVICE: Readonly<Record<ProblemName, { readonly meaning: string; readonly remedy: string }>> = {
  'malformed-request': {
    meaning: 'The target, the path or a header field of the request does not have the syntax of HTTP.',
    remedy: 'Correct the syntax. `errors` names the header field, if it is one.',
  },
  'malformed-body': {
    meaning: 'The service cannot read the body: it does not match Content-Type.',
    remedy: 'Correct the syntax. `errors` gives the position of the fault.',
  },
  'malformed-patch': {
    meaning: 'The patch document does not have the form that RFC 6902 or RFC 7396 describes.',
    remedy: 'Correct the patch. `operation` and `pointer` give the position of the fault.',
  },
  'validation-error': {
    meaning: 'The service can read the request, but some of its values are not valid.',
    remedy: 'Correct every value that `errors` names, then send the request again.',
  },
  'digest-invalid-values': {
    meaning: 'No content can have a digest of the request, such as one with too few bytes.',
    remedy: 'Compute the digests that `invalid-digests` lists again.',
  },
  'digest-mismatched-values': {
    meaning: 'The content that arrived is not what a digest of the request says.',
    remedy:
      'Send the request again. If it fails again, compute the digests that `mismatched-digests` lists anew.',
  },
  unauthenticated: {
    meaning: 'The request has no credentials, or its credentials are not valid.',
    remedy:
      'Get a token from the issuer that /.well-known/oauth-protected-resource names, and send it in Authorization.',
  },
  forbidden: {
    meaning:
      'The token lacks a scope for this request, or a page of an origin that the service does not allow has sent it.',
    remedy:
      'Get a token with the scope that the response names. For a page, let the operator allow its origin.',
  },
  'not-found': {
    meaning: 'Nothing is at this path, or not any more.',
    remedy: 'Follow links from `/` or from a list instead of building paths.',
  },
  'method-not-allowed': {
    meaning: 'The resource exists in this service, but does not have this method.',
    remedy: 'Use one of the methods in Allow.',
  },
  'not-acceptable': {
    meaning: 'This resource has no representation in a media type that Accept lists.',
    remedy: 'Send Accept with one of the types in `available`.',
  },
  'request-timeout': {
    meaning: 'The request did not arrive completely before the gateway stopped waiting.',
    remedy: 'Send the request again on a new connection. The service did not run it.',
  },
  conflict: {
    meaning: 'The request conflicts with the current state of the resource, or of a resource that it names.',
    remedy: 'Read these resources, resolve the conflict, and send the request again.',
  },
  'patch-conflict': {
    meaning:
      'The patch is well-formed, but does not fit the current state, or changes a property that only the service sets.',
    remedy: 'Read the resource, adapt the patch, and send it with If-Match.',
  },
  'invalid-transition': {
    meaning: 'The current state of the business process does not allow this transition.',
    remedy: 'Use one of the transitions in `allowed`.',
  },
  'operation-finished': {
    meaning: 'The operation has finished. It cannot be canceled, and it waits for no more files.',
    remedy: 'Read the operation to get its result.',
  },
  gone: {
    meaning: 'The service has removed what the request asks for, because its time is over.',
    remedy: 'Follow the links of the problem.',
  },
  'precondition-failed': {
    meaning:
      'The current state of the resource does not meet If-Match, If-None-Match or If-Unmodified-Since.',
    remedy: 'Read the resource again, apply the change to its current state, and send it with the new ETag.',
  },
  'payload-too-large': {
    meaning: 'The body is larger than this resource accepts in one request.',
    remedy:
      'Send at most `maximum` bytes. For a larger file, follow the link in the problem to get upload links.',
  },
  'uri-too-long': {
    meaning: 'The URI is longer than the gateway accepts.',
    remedy: 'Shorten the path or the query.',
  },
  'unsupported-media-type': {
    meaning: 'This resource does not read the media type or the content coding of the body.',
    remedy: 'Send one of the types in Accept, Accept-Post or Accept-Patch, without content coding.',
  },
  'range-not-satisfiable': {
    meaning: 'The requested range contains no byte of the resource.',
    remedy: 'Request a range below the size in Content-Range.',
  },
  'misdirected-request': {
    meaning: 'The request names a host that this service does not serve.',
    remedy: 'Use an address of the service, or let the operator allow the host.',
  },
  'idempotency-key-reused': {
    meaning: 'An earlier request used this Idempotency-Key with another payload.',
    remedy: 'Use a new key for a new request. Repeat a request with the same bytes.',
  },
  'precondition-required': {
    meaning: 'This request could overwrite changes of other clients, so it needs a precondition.',
    remedy: 'Read the resource and send its ETag in If-Match.',
  },
  'too-many-requests': {
    meaning: 'The service received more requests than it allows in this time.',
    remedy: 'Wait for the time in Retry-After, then send the request again.',
  },
  'headers-too-large': {
    meaning: 'The header fields together are larger than the gateway accepts.',
    remedy: 'Send fewer or shorter header fields.',
  },
  internal: {
    meaning: 'The service failed because of a defect. The request may be correct.',
    remedy: 'Tell the operators the `requestId`.',
  },
  'unreadable-item': {
    meaning:
      'The service does not understand the stored form of this item. Lists show its identifier and its links alone.',
    remedy: 'Tell the operators the `requestId`. Other items are not affected.',
  },
  'not-implemented': {
    meaning: 'The method is unknown, or the service does not implement it yet.',
    remedy: 'Read in the documentation what the service implements.',
  },
  'bad-gateway': {
    meaning: 'The gateway received no valid response from the function.',
    remedy: 'Tell the operators the `requestId`.',
  },
  unavailable: {
    meaning: 'An engine behind the service does not respond, or is too busy.',
    remedy:
      'Wait for the time in Retry-After. The request may have had its effect: read the resource before you repeat it.',
  },
  timeout: {
    meaning: 'The response took longer than the gateway waits.',
    remedy: 'Read the resource to see if the change happened. Then send the request again if it did not.',
  },
};
