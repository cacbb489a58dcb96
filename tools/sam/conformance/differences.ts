import type { Difference } from './judge.ts';

/** Differences of SAM 1.170.0 from API Gateway and the local gateway. */
export const differences: readonly Difference[] = [
  {
    because:
      'A method that no route has is answered by SAM: 403 with a message, as it does not know gateway responses. ' +
      'ANY is seven methods to it.',
    tests: {
      'methods.test.ts': [
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
      'problems.test.ts': ['every error is a problem of RFC 9457 501: PROPFIND /members'],
      'cors.test.ts': ['every origin may read the response to PROPFIND /members'],
    },
  },
  {
    because:
      'SAM decodes a path before it routes, and does not mind what encodes nothing: %2F is a slash, % a percent sign, ' +
      'two slashes are one.',
    tests: {
      'file-names.test.ts': [
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
      'problems.test.ts': ['every error is a problem of RFC 9457 400: GET /files/%2F'],
      'malformed-http.test.ts': [
        'a path or query //members is not normalized: it gets 404 or 400',
        'a header field never results from CRLF in a query, a path or a name',
      ],
    },
  },
  {
    because:
      'The runtime takes 6 MB, and base64 makes a third more of a body; SAM answers 500 where it is refused, before the ' +
      'function could answer 413.',
    tests: {
      'sizes.test.ts': [
        'sizes a body of 5000000 bytes gets 413',
        'sizes a body of 9000000 bytes gets 413',
        'sizes every body of 12 MB gets 413',
        'sizes a direct PUT of 9000000 bytes gets 413 with the limit and a link',
        'sizes a direct PUT of 12000000 bytes gets 413 with the limit and a link',
      ],
      'problems.test.ts': ['every error is a problem of RFC 9457 413: PUT /files/larger'],
    },
  },
  {
    because:
      'Werkzeug, which SAM listens with, has no limits for a URL or a header, waits for every body, takes two ' +
      'Content-Lengths, no Host or another HTTP version, makes one of several header lines, and answers one request on ' +
      'a connection.',
    tests: {
      // Two bare keys in one line are one with a comma in it.
      'idempotency.test.ts': ['POST with an Idempotency-Key refuses two keys: %s'],
      'sizes.test.ts': [
        'sizes a Content-Length that is too large gets 413 without a wait for the body',
        'sizes a header of 20 kB gets a refusal',
        'sizes a URL of 11 kB gets a refusal',
      ],
      'cors.test.ts': ['every origin may read the response to GET /members?x={11000}'],
      'malformed-http.test.ts': [
        'a header field two Content-Lengths gets 400 and the connection ends',
        'a header field after an HTTP/0.9 request line gets a refusal',
        'a header field after an HTTP/2.0 request line gets a refusal',
        'a header field Host: "" gets 400',
        'a header field Host: "Host: a\\r\\nHost: b\\r\\n" gets 400',
      ],
      'problems.test.ts': ['every error is a problem of RFC 9457 for errors of the HTTP parser too'],
      'slow.test.ts': ['slow and aborted requests can be several on one connection, pipelined'],
    },
  },
  {
    because:
      'SAM decodes a base64 answer only where Accept has its type; API Gateway does for every type, as the template says.',
    tests: {
      'files.test.ts': ['GET and HEAD of a file return the stored bytes, whatever Accept says'],
      // Content-Type names a charset, Accept does not, and a page of more than a million characters is base64.
      'list-sizes.test.ts': [
        'a list of items with awkward characters fills every page in every format, in both directions, and loses no item',
        'a list of files with long names fills every page in every format and loses no file',
      ],
      'product-image.test.ts': [
        'the image of a product can be replaced by another type, whatever Accept says',
      ],
    },
  },
  {
    because: 'SAM adds a Content-Type to an answer without one. So does API Gateway; it is harmless.',
    tests: {
      'members.test.ts': ['DELETE /members/{id} gets 204 without a body, and then every request gets 404'],
    },
  },
  {
    because: 'It is skipped at an address: it takes a service that was started with links of a few seconds.',
    tests: {
      'uploads-expiry.test.ts': ['an upload operation fails and loses its parts when its links expire'],
    },
  },
];

interface LeftOut {
  readonly file: string;
  readonly because: string;
}

/** Files that do not test a service at an address. */
export const leftOut: readonly LeftOut[] = [
  {
    file: 'authorization.test.ts',
    because: 'SAM runs no authorizer: it starts a service of its own that does.',
  },
  { file: 'restart.test.ts', because: 'It starts, stops and kills services of its own.' },
  { file: 'sort-by-reading.test.ts', because: 'It starts services of its own, with and without indexes.' },
  { file: 'visitors.test.ts', because: 'It starts services of its own, with other origins.' },
];

/** Further files that `--brief` leaves out. */
export const lengthy: readonly LeftOut[] = [
  {
    file: 'conditional.test.ts',
    because: 'A thousand and more requests about pure rules, which no bundle changes.',
  },
  { file: 'random.test.ts', because: 'Thousands of requests.' },
];
