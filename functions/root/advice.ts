import type { ProblemName } from '../../shared/http/problem.ts';

/** For each problem type: what it means, and what a client can do about it. */
export const ADVICE: Readonly<Record<ProblemName, { readonly meaning: string; readonly remedy: string }>> = {
  'malformed-body': {
    meaning:
      'The request could not be read: its body is not what its Content-Type says, or its path is not validly encoded.',
    remedy: 'Mend the syntax; `errors` says where it broke.',
  },
  'malformed-patch': {
    meaning: 'The patch document does not have the form that RFC 6902 or RFC 7396 describes.',
    remedy: 'Mend the patch; `operation` and `pointer` say where it is wrong.',
  },
  'validation-error': {
    meaning: 'The request was understood, but some of its values are not allowed.',
    remedy: 'Change every value that `errors` names, then send the request again.',
  },
  unauthenticated: {
    meaning: 'The request carries no credentials, or credentials that are not valid any more.',
    remedy: 'Get a token from the issuer that WWW-Authenticate names and send it in Authorization.',
  },
  forbidden: {
    meaning: 'The credentials are valid, but do not allow this.',
    remedy: 'Ask for a token with the scope that is named, or leave the request.',
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
    meaning: 'None of the media types in Accept can be made of this resource.',
    remedy: 'Accept one of the types in `available`.',
  },
  'request-timeout': {
    meaning: 'The request did not arrive as a whole in the time that the gateway waits for it.',
    remedy: 'Send the request again on a new connection: nothing of it was done.',
  },
  conflict: {
    meaning: 'The request contradicts the current state of the resource or of one it refers to.',
    remedy: 'Read the resources concerned, resolve the contradiction, and try again.',
  },
  'patch-conflict': {
    meaning:
      'The patch is well-formed, but cannot be applied to the current state, or changes what the service alone sets.',
    remedy: 'Read the resource, make the patch fit, and send it with If-Match.',
  },
  'invalid-transition': {
    meaning: 'The business process does not allow this move from the state it is in.',
    remedy: 'Make one of the moves in `allowed`.',
  },
  'operation-finished': {
    meaning: 'The operation has ended: there is nothing left to cancel.',
    remedy: 'Read the operation for its result.',
  },
  'precondition-failed': {
    meaning: 'The resource is not in the state that If-Match, If-None-Match or If-Unmodified-Since demands.',
    remedy: 'Read the resource again, apply the change to what is there now, and send it with the new ETag.',
  },
  'payload-too-large': {
    meaning: 'The body is larger than this resource takes in one request.',
    remedy:
      'Send less than `maximum` bytes, or follow the link that comes with the problem: larger files are announced there.',
  },
  'uri-too-long': {
    meaning: 'The URI is longer than the gateway takes.',
    remedy: 'Shorten the path or the query.',
  },
  'unsupported-media-type': {
    meaning: 'The body is in a format, or under a content coding, that this resource does not read.',
    remedy: 'Send one of the types in Accept, Accept-Post or Accept-Patch, without content coding.',
  },
  'range-not-satisfiable': {
    meaning: 'No byte of the resource lies in the range that was asked for.',
    remedy: 'Ask for a range below the size in Content-Range.',
  },
  'idempotency-key-reused': {
    meaning: 'The Idempotency-Key came before with another payload, and that request was answered.',
    remedy: 'Use a new key for a new request; repeat a request byte for byte.',
  },
  'precondition-required': {
    meaning: 'This request could overwrite what others changed, so it must say which state it is meant for.',
    remedy: 'Read the resource and send its ETag in If-Match.',
  },
  'too-many-requests': {
    meaning: 'More requests came in than are allowed in this time.',
    remedy: 'Wait as long as Retry-After says.',
  },
  'headers-too-large': {
    meaning: 'The header fields together are larger than the gateway takes.',
    remedy: 'Send fewer or shorter header fields.',
  },
  internal: {
    meaning: 'The service has a defect; the request was fine as far as it was read.',
    remedy: 'Tell the operators the `requestId`.',
  },
  'not-implemented': {
    meaning: 'The method is unknown, or this part of the service is not built yet.',
    remedy: 'Read the table of what works in the documentation.',
  },
  'bad-gateway': {
    meaning: 'The function behind the gateway gave no answer that the gateway could pass on.',
    remedy: 'Tell the operators the `requestId`.',
  },
  unavailable: {
    meaning: 'An engine behind the service does not answer, or is too busy.',
    remedy: 'Try again after Retry-After; a request that failed this way changed nothing it did not report.',
  },
  timeout: {
    meaning: 'The answer took longer than the gateway waits.',
    remedy: 'Read the resource to see whether the change happened before trying again.',
  },
};
