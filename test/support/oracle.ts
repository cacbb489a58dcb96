import { get } from './service/under-test.ts';

/** The validators of a resource. */
export interface Validators {
  readonly etag: string;
  /** Absent: dates cannot be evaluated. */
  readonly modified: number | undefined;
}

/** The kinds of values that distinguish the steps. */
type Kind = 'none' | 'any' | 'same' | 'weak' | 'other' | 'among' | 'invalid' | 'before' | 'equal' | 'after';
/** The value of each of the four fields. */
export interface Conditions {
  readonly ifMatch: Kind;
  readonly ifUnmodifiedSince: Kind;
  readonly ifNoneMatch: Kind;
  readonly ifModifiedSince: Kind;
}

const tag = (kind: Kind, { etag }: Validators): string | undefined => {
  if (kind === 'none') return undefined;
  if (kind === 'any') return '*';
  if (kind === 'same') return etag;
  if (kind === 'weak') return `W/${etag}`;
  if (kind === 'among') return `"x", W/"y" ,${etag}`;
  return '"other", "a,b"';
};

const date = (kind: Kind, { modified = Date.now() }: Validators): string | undefined => {
  if (kind === 'none') return undefined;
  if (kind === 'invalid') return 'yesterday';
  const by = kind === 'before' ? -1000 : kind === 'after' ? 1000 : 0;
  return new Date(modified + by).toUTCString();
};

/** RFC 9110 §13.2.2, step by step, for an existing resource: continue, 304 or 412. */
export function oracle(
  safe: boolean,
  conditions: Conditions,
  { modified }: Validators,
): 'continue' | 304 | 412 {
  const { ifMatch, ifUnmodifiedSince, ifNoneMatch, ifModifiedSince } = conditions;
  // Steps 1 and 2: If-Match compares strongly. If-Unmodified-Since counts only without it, and only if there is a
  // date.
  if (ifMatch !== 'none') {
    if (!['any', 'same', 'among'].includes(ifMatch)) return 412;
  } else if (ifUnmodifiedSince === 'before' && modified !== undefined) return 412;
  // Steps 3 and 4: If-None-Match compares weakly. If-Modified-Since counts only without it, for GET and HEAD.
  if (ifNoneMatch !== 'none') {
    if (ifNoneMatch !== 'other') return safe ? 304 : 412;
  } else if (safe && modified !== undefined && ['equal', 'after'].includes(ifModifiedSince)) return 304;
  return 'continue';
}

/** The header fields of these conditions. */
export const headersOf = (conditions: Conditions, validators: Validators): Record<string, string> =>
  Object.fromEntries(
    (
      [
        ['If-Match', tag(conditions.ifMatch, validators)],
        ['If-Unmodified-Since', date(conditions.ifUnmodifiedSince, validators)],
        ['If-None-Match', tag(conditions.ifNoneMatch, validators)],
        ['If-Modified-Since', date(conditions.ifModifiedSince, validators)],
      ] as [string, string | undefined][]
    ).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );

const TAGS: Kind[] = ['none', 'any', 'same', 'weak', 'other', 'among'];
const DATES: Kind[] = ['none', 'before', 'equal', 'after', 'invalid'];

/** Every combination. */
export const ALL: Conditions[] = TAGS.flatMap((ifMatch) =>
  DATES.flatMap((ifUnmodifiedSince) =>
    TAGS.flatMap((ifNoneMatch) =>
      DATES.map((ifModifiedSince) => ({ ifMatch, ifUnmodifiedSince, ifNoneMatch, ifModifiedSince })),
    ),
  ),
);

/** The validators in the response to GET. In the second of a change, no response has its date: it is the next second. */
export async function validatorsOf(path: string): Promise<Validators> {
  const first = await get(path);
  // A second response without a date came in the second of the first one, which is therefore that of the change.
  const { headers, text } = first.headers['last-modified'] ? first : await get(path);
  const isDated = headers['accept-ranges'] !== undefined || text.startsWith('{"id"');
  const date = headers['last-modified'];
  const modified = date ? Date.parse(date) : Date.parse(first.headers.date ?? '') + 1000;
  return { etag: headers.etag as string, modified: isDated ? modified : undefined };
}
