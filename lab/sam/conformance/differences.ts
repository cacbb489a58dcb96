import type { FilesByFolder } from '../../conformance.ts';
import type { Difference } from './verdict.ts';

/** Differences of SAM 1.170.0 from API Gateway and the local gateway. */
export const differences: readonly Difference[] = [
  {
    because:
      'For a method without a route, SAM itself responds with 403 and a message. It does not support gateway ' +
      'responses, and it expands ANY to seven methods.',
    tests: {
      'resources/methods.test.ts': [
        /^any other method gets 405 with the exact Allow before any storage is read: (?:TRACE|CONNECT) /,
        /^methods of no resource get 501: /,
        'methods of no resource get 400 as X-HTTP-Method-Override: TRACE',
        'methods of no resource get no echo of the request for TRACE',
        'methods of no resource get 405 and open no tunnel for CONNECT to an authority',
      ],
      'conventions/methods.test.ts': [
        'General method semantics TRACE gets 405',
        'General method semantics CONNECT gets 405',
      ],
      'problems/problems.test.ts': ['every error is a problem of RFC 9457 501: PROPFIND /members'],
      'access/cors.test.ts': ['every origin may read the response to PROPFIND /members'],
    },
  },
  {
    because:
      'SAM decodes a path before it routes, and accepts an invalid encoding. It takes %2F as a slash, % as a percent ' +
      'sign, and two slashes as one.',
    tests: {
      'files/file-names.test.ts': [
        'names /files/%2F gets 400',
        'names /files/a%2Fb gets 400',
        'names /files/..%2F..%2Fetc%2Fpasswd gets 400',
        'names /files/% gets 400',
        'names /files/%zz gets 400',
        'names /files/%c3 gets 400',
        'names /files/%ff%fe gets 400',
        'names /files/%ed%a0%80 gets 400',
        'names /files/%c0%af gets 400',
      ],
      'problems/problems.test.ts': ['every error is a problem of RFC 9457 400: GET /files/%2F'],
      'problems/malformed-http.test.ts': [
        'a path or query //members is not normalized: it gets 404 or 400',
        'a header field never results from CRLF in a query, a path or a name',
      ],
    },
  },
  {
    because:
      'The runtime accepts 6 MB, and base64 makes a body a third larger. If the runtime refuses the body, SAM ' +
      'responds with 500 before the function can respond with 413.',
    tests: {
      'problems/sizes.test.ts': [
        'sizes a body of 5000000 bytes gets 413',
        'sizes a body of 9000000 bytes gets 413',
        'sizes every body of 12 MB gets 413',
        'sizes a direct PUT of 9000000 bytes gets 413 with the limit and a link',
        'sizes a direct PUT of 12000000 bytes gets 413 with the limit and a link',
      ],
      'problems/problems.test.ts': ['every error is a problem of RFC 9457 413: PUT /files/larger'],
    },
  },
  {
    because:
      'Werkzeug, the HTTP server of SAM, has no limits for a URL or a header. It waits for every body, accepts two ' +
      'Content-Lengths, no Host, a target with another host or another HTTP version, joins repeated header lines, and ' +
      'serves one request for each connection.',
    tests: {
      // Two bare keys in one line are one key with a comma in it.
      'conditional/idempotency.test.ts': ['POST with an Idempotency-Key refuses two keys: %s'],
      'problems/sizes.test.ts': [
        'sizes a Content-Length that is too large gets 413 without a wait for the body',
        'sizes a header of 20 kB gets a refusal',
        'sizes a URL of 11 kB gets a refusal',
      ],
      'access/cors.test.ts': ['every origin may read the response to GET /members?x={11000}'],
      'problems/malformed-http.test.ts': [
        /^a path or query gets 421 if it names the host /,
        /^a path or query with .* gets 400 malformed-request$/,
        'a header field two Content-Lengths gets 400 and the connection ends',
        'a header field after an HTTP/0.9 request line gets a refusal',
        'a header field after an HTTP/2.0 request line gets a refusal',
        'a header field Host: "" gets 400',
        'a header field Host: "Host: a\\r\\nHost: b\\r\\n" gets 400',
        /^a header field \w+ \* gets 400$/,
      ],
      'problems/problems.test.ts': ['every error is a problem of RFC 9457 for errors of the HTTP parser too'],
      'problems/slow.test.ts': ['slow and aborted requests can be several on one connection, pipelined'],
    },
  },
  {
    because:
      'SAM decodes a base64 response only if Accept has its type. API Gateway decodes every type, as the template ' +
      'says.',
    tests: {
      'files/files.test.ts': ['GET and HEAD of a file return the stored bytes, whatever Accept says'],
      // Content-Type names a charset, Accept does not, and a page of more than a million characters is base64.
      'lists/list-sizes.test.ts': [
        'a list of items with awkward characters fills every page in every format, in both directions, and loses no item',
        'a list of files with long names fills every page in every format and loses no file',
      ],
      'fields/product-image.test.ts': [
        'the image of a product can be replaced by another type, whatever Accept says',
      ],
    },
  },
  {
    because:
      'SAM adds a Content-Type to a response without one. API Gateway does the same, and this is harmless.',
    tests: {
      'resources/members.test.ts': [
        'DELETE /members/{id} gets 204 without a body, and then every request gets 404',
      ],
      'resources/orders/writes.test.ts': [
        'responses without content name the fields that select them in Vary',
      ],
    },
  },
  {
    because:
      'It needs a service whose links expire after a few seconds, so jest skips it for a service at an address.',
    tests: {
      'files/uploads-expiry.test.ts': ['an upload operation fails and loses its parts when its links expire'],
    },
  },
];

/**
 * The files of `--brief` by folder: for each subject, those whose results can depend on the bundles, the containers or
 * the gateway. The others test rules of the same code, which the local gateway runs too.
 */
export const BRIEF: FilesByFolder = {
  access: ['cors'],
  bulk: ['create'],
  conditional: ['idempotency', 'preconditions', 'ranges'],
  conventions: ['methods', 'statuses'],
  discovery: ['home', 'site'],
  fields: ['decimals', 'product-image'],
  files: ['file-names', 'files', 'uploads'],
  formats: ['codings', 'json-patch', 'list-formats', 'xml'],
  lists: ['expansion', 'lists', 'sort'],
  operations: ['operations', 'prefer'],
  pages: ['file-forms', 'forms'],
  problems: ['malformed-http', 'problems', 'sizes', 'slow'],
  resources: ['add', 'members', 'methods', 'order-process', 'orders/writes', 'products'],
};
