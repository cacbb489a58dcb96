import type { Difference } from './judge.ts';

/** Differences of SAM 1.170.0 from API Gateway and the local gateway. */
export const differences: readonly Difference[] = [
  {
    because:
      'A method that no route has is answered by SAM: 403 with a message, as it does not know gateway responses. ' +
      'ANY is seven methods to it.',
    tests: {
      'methods.test.ts': [
        /^anything else: 405 with the exact Allow, before any storage is read (?:TRACE|CONNECT) /,
        /^methods that no resource has unknown method names: 501 to /,
        'methods that no resource has X-HTTP-Method-Override: 400 to TRACE',
        'methods that no resource has TRACE does not echo the request',
        'methods that no resource has CONNECT to an authority is answered 405 and opens no tunnel',
      ],
      'conventions/methods.test.ts': [
        '"General method semantics" TRACE is known and not allowed',
        '"General method semantics" CONNECT is known and not allowed',
      ],
      'problems.test.ts': ['every error is RFC 9457 501: PROPFIND /members'],
      'cors.test.ts': ['every answer is for every origin PROPFIND /members'],
    },
  },
  {
    because:
      'SAM decodes a path before it routes, and does not mind what encodes nothing: %2F is a slash, % a percent sign, ' +
      'two slashes are one.',
    tests: {
      'file-names.test.ts': [
        'names /files/%2F → 400',
        'names /files/a%2Fb → 400',
        'names /files/..%2F..%2Fetc%2Fpasswd → 400',
        'names /files/% → 400',
        'names /files/%zz → 400',
        'names /files/%c3 → 400',
        'names /files/%ff%fe → 400',
        'names /files/%ed%a0%80 → 400',
        'names /files/%c0%af → 400',
      ],
      'problems.test.ts': ['every error is RFC 9457 400: GET /files/%2F'],
      'malformed-http.test.ts': [
        'paths and queries //members is not resolved: 404, or 400',
        'header fields CRLF in a query, a path or a name does not become a header',
      ],
    },
  },
  {
    because:
      'The runtime takes 6 MB, and base64 makes a third more of a body; SAM answers 500 where it is refused, before the ' +
      'function could answer 413.',
    tests: {
      'sizes.test.ts': [
        'sizes a body of 5000000 bytes → 413',
        'sizes a body of 9000000 bytes → 413',
        'sizes bodies of 12 MB are answered 413, every one of them',
        'sizes 9000000 bytes: the limit and the link to go on',
        'sizes 12000000 bytes: the limit and the link to go on',
      ],
      'problems.test.ts': ['every error is RFC 9457 413: PUT /files/larger'],
    },
  },
  {
    because:
      'Werkzeug, which SAM listens with, has no limits for a URL or a header, waits for every body, takes two ' +
      'Content-Lengths or no Host, makes one of several header lines, and answers one request on a connection.',
    tests: {
      // Two bare keys in one line are one with a comma in it.
      'idempotency.test.ts': ['POST two keys are refused: %s'],
      'sizes.test.ts': [
        'sizes Content-Length too large is refused without waiting for the body',
        'sizes a header of 20 kB',
        'sizes a URL of 11 kB',
      ],
      'cors.test.ts': ['every answer is for every origin GET /members?x={11000}'],
      'malformed-http.test.ts': [
        'header fields two Content-Lengths → 400 and the connection ends',
        'header fields Host: "" → 400',
        'header fields Host: "Host: a\\r\\nHost: b\\r\\n" → 400',
      ],
      'problems.test.ts': ['every error is RFC 9457 errors to the HTTP parser are problems too'],
      'slow.test.ts': ['slow and aborted requests several requests on one connection, pipelined'],
    },
  },
  {
    because:
      'SAM decodes a base64 answer only where Accept has its type; API Gateway does for every type, as the template says.',
    tests: {
      'files.test.ts': ['GET and HEAD the stored bytes, whatever Accept says'],
      'product-image.test.ts': ['the image of a product replaced by another type, whatever Accept says'],
    },
  },
  {
    because: 'SAM adds a Content-Type to an answer without one. So does API Gateway; it is harmless.',
    tests: {
      'members.test.ts': ['DELETE /members/{id}: 204, no body 204 without a body, then 404 for everything'],
    },
  },
  {
    because: 'It is skipped at an address: it takes a service that was started with links of a few seconds.',
    tests: {
      'uploads-expiry.test.ts': [
        'links that are not used in time: the operation fails, its parts are given up',
      ],
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
