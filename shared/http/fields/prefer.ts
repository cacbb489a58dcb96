import { listMembers, unquote } from './field-value.ts';

/** The preferences of a request by name, without parameters. If a name repeats, the first one counts. */
export type Preferences = ReadonlyMap<string, string>;

/** The preferences of the service, and the values of each. */
const KNOWN: ReadonlyMap<string, RegExp> = new Map([
  ['respond-async', /^$/],
  ['wait', /^[0-9]{1,9}$/],
  ['return', /^(?:minimal|representation)$/],
  ['handling', /^(?:strict|lenient)$/],
  ['count', /^exact$/],
  ['max-affected', /^[0-9]{1,15}$/],
]);

/** The first preference that the service does not know, or whose value it does not know; undefined: it knows all. */
export const unknownPreference = (preferences: Preferences): string | undefined =>
  [...preferences].find(([name, value]) => !KNOWN.get(name)?.test(value))?.[0];

/** The names of all preferences. */
export const PREFERENCE_NAMES: readonly string[] = [...KNOWN.keys()];

const NONE: Preferences = new Map();
const PREFERENCE =
  /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*(?:=[ \t]*(?:("(?:[^"\\]|\\.)*"|[!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*)?)?(?:;|$)/;

/** Reads Prefer. A malformed preference has its text as name, so it has no effect. Source: RFC 7240 §2. */
export function parsePrefer(field: string | undefined): Preferences {
  if (field === undefined) return NONE;
  const preferences = new Map<string, string>();
  for (const member of listMembers(field)) {
    const [, name, value = ''] = PREFERENCE.exec(member) ?? [];
    const key = (name ?? member).toLowerCase();
    if (!preferences.has(key)) preferences.set(key, value.startsWith('"') ? unquote(value) : value);
  }
  return preferences;
}
