import { listMembers, unquote } from './field-value.ts';

/** The preferences of a request by name, without parameters. If a name repeats, the first one counts. */
export type Preferences = ReadonlyMap<string, string>;

const NONE: Preferences = new Map();
const PREFERENCE =
  /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*(?:=[ \t]*(?:("(?:[^"\\]|\\.)*"|[!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*)?)?(?:;|$)/;

/** Reads Prefer and ignores malformed preferences. Source: RFC 7240 §2. */
export function parsePrefer(field: string | undefined): Preferences {
  if (field === undefined) return NONE;
  const preferences = new Map<string, string>();
  for (const member of listMembers(field)) {
    const [, name, value = ''] = PREFERENCE.exec(member) ?? [];
    if (name === undefined || preferences.has(name.toLowerCase())) continue;
    preferences.set(name.toLowerCase(), value.startsWith('"') ? unquote(value) : value);
  }
  return preferences;
}
