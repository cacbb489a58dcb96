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
  ['dry-run', /^$/],
]);

/** The first preference that is malformed or unknown, or whose value is unknown; undefined: the service knows all. */
export const unknownPreference = (field: string): string | undefined =>
  listMembers(field).find((member) => {
    const [name = '', value = ''] = preferenceIn(member) ?? [];
    return !KNOWN.get(name)?.test(value);
  });

/** The names of all preferences. */
export const PREFERENCE_NAMES: readonly string[] = [...KNOWN.keys()];

const NONE: Preferences = new Map();
const PREFERENCE =
  /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*(?:=[ \t]*(?:("(?:[^"\\]|\\.)*"|[!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*)?)?(?:;|$)/;

/** Reads Prefer and ignores malformed preferences. Source: RFC 7240 §2. */
export function parsePrefer(field: string | undefined): Preferences {
  if (field === undefined) return NONE;
  const preferences = new Map<string, string>();
  for (const member of listMembers(field)) {
    const [name, value] = preferenceIn(member) ?? [];
    if (name !== undefined && !preferences.has(name)) preferences.set(name, value ?? '');
  }
  return preferences;
}

/** Returns the name and the value of a preference; undefined for a malformed one. */
function preferenceIn(member: string): readonly [name: string, value: string] | undefined {
  const [, name, value = ''] = PREFERENCE.exec(member) ?? [];
  return name === undefined
    ? undefined
    : [name.toLowerCase(), value.startsWith('"') ? unquote(value) : value];
}
