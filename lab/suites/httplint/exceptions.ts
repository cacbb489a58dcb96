import type { Sample } from './samples.ts';

interface Exception {
  readonly note: RegExp;
  readonly of: (sample: Sample) => boolean;
  readonly why: string;
}

/** Notes of httplint about correct responses, with the reason why the response is correct. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    note: /^The server's clock is \d+ seconds? behind/,
    of: () => true,
    why: 'httplint compares Date with the time at which it reads the response, which comes late on a busy machine.',
  },
  {
    note: /^CORS headers are only allowed in preflight responses/,
    of: ({ method }) => method === 'OPTIONS',
    why: 'The response is one to a preflight request, but httplint does not see the request.',
  },
  {
    note: /^This response is partial, but doesn't have a Content-Range header/,
    of: ({ headers }) => headers?.Range?.includes(',') === true,
    why: 'With several ranges, each part has this field, and the header section must not. Source: RFC 9110 §15.3.7.2.',
  },
  {
    note: /^The server won't accept a URI this long/,
    of: ({ status }) => status === 414,
    why: 'The sample tests this status.',
  },
];
