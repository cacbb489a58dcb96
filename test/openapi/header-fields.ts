/**
 * Header fields that the description leaves out: those that every response can have, and those for browsers, caches and
 * people. Each has the schema of its value.
 */
const TEXT = { type: 'string', maxLength: 10_240 };
const SECONDS = { type: 'integer', minimum: 0, maximum: 86_400 };
const choices = (...values: readonly string[]) => ({ type: 'string', enum: values });

/** By name, in lower case. */
export const UNDESCRIBED_FIELDS: Readonly<Record<string, object>> = {
  accept: TEXT,
  'accept-encoding': choices('gzip', 'identity'),
  'accept-patch': choices('application/merge-patch+json, application/json-patch+json'),
  'accept-post': TEXT,
  'accept-ranges': choices('bytes'),
  'access-control-allow-headers': TEXT,
  'access-control-allow-methods': TEXT,
  'access-control-allow-origin': TEXT,
  'access-control-expose-headers': TEXT,
  'access-control-max-age': SECONDS,
  allow: TEXT,
  'cache-control': TEXT,
  'cache-groups': TEXT,
  'cache-group-invalidation': TEXT,
  'content-encoding': choices('zstd', 'br', 'gzip'),
  'content-range': { type: 'string', pattern: '^bytes \\*/[0-9]+$' },
  'content-security-policy': TEXT,
  'idempotency-replayed': { type: 'boolean' },
  location: TEXT,
  'preference-applied': TEXT,
  ratelimit: TEXT,
  'ratelimit-policy': TEXT,
  refresh: SECONDS,
  'referrer-policy': choices('same-origin', 'no-referrer'),
  'retry-after': SECONDS,
  'server-timing': TEXT,
  'strict-transport-security': TEXT,
  vary: TEXT,
  'www-authenticate': TEXT,
  'x-content-type-options': choices('nosniff'),
};

/** Fields of every response. */
const ANYWHERE = [
  'access-control-allow-origin',
  'access-control-expose-headers',
  'content-encoding',
  'preference-applied',
  'server-timing',
  'strict-transport-security',
  'vary',
  'x-content-type-options',
];

/** Fields of each success, and of pages. */
const OF_SUCCESSES = [
  'cache-control',
  'cache-groups',
  'cache-group-invalidation',
  'content-security-policy',
  'referrer-policy',
  'refresh',
];

/** Fields of each problem, also as a page. */
const OF_PROBLEMS = ['cache-control', 'content-security-policy', 'referrer-policy'];

/** Fields of problems with these statuses alone. */
const OF_STATUS: Readonly<Record<number, readonly string[]>> = {
  401: ['www-authenticate'],
  403: ['www-authenticate'],
  405: ['allow'],
  409: ['retry-after'],
  412: ['etag'],
  415: ['accept', 'accept-encoding', 'accept-patch', 'accept-post'],
  416: ['accept-ranges', 'content-range'],
  429: ['ratelimit', 'ratelimit-policy', 'retry-after'],
  503: ['retry-after'],
};

const OF_OPTIONS = [
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-max-age',
  'accept-patch',
  'accept-post',
  'allow',
];

/** Returns the names of the header fields that a response can have, in addition to those of the description. */
export function undescribedNames(method: string, status: number): readonly string[] {
  if (status >= 400) return [...ANYWHERE, ...OF_PROBLEMS, ...(OF_STATUS[status] ?? [])];
  if (method === 'OPTIONS') return [...ANYWHERE, ...OF_OPTIONS];
  // A browser continues at the result of a form.
  return [...ANYWHERE, ...OF_SUCCESSES, ...(status === 303 ? ['location', 'idempotency-replayed'] : [])];
}
