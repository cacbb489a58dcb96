import type { Sample } from './samples.ts';

interface Exception {
  readonly note: RegExp;
  readonly of: (sample: Sample) => boolean;
  readonly why: string;
}

/** What httplint calls bad though it is right: of which answers, and why. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    note: /^CORS headers are only allowed in preflight responses/,
    of: ({ method }) => method === 'OPTIONS',
    why: 'It is one: httplint does not see the request.',
  },
  {
    note: /^This response is partial, but doesn't have a Content-Range header/,
    of: ({ headers }) => headers?.Range?.includes(',') === true,
    why: 'Of several ranges each part has its own; the header section must have none. Source: RFC 9110 §15.3.7.2.',
  },
  {
    note: /^The server won't accept a URI this long/,
    of: ({ status }) => status === 414,
    why: 'That is what the sample is for.',
  },
];
