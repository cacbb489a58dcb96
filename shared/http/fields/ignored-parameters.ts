/** The most parameters that the field names, and the most characters of each: header fields have little room. */
const MOST = { parameters: 16, characters: 50 };

/**
 * Returns `Ignored-Parameters`, a list of strings, if there are any: CSV and JSON Lines have no member for the parameters
 * without effect.
 *
 * Source: Specification 4.21; RFC 9651 §3.1, §3.3.3.
 */
export function ignoredField(ignored: readonly string[]): Readonly<Record<string, string>> {
  if (ignored.length === 0) return {};
  const strings = ignored
    .slice(0, MOST.parameters)
    .map((name) => `"${encodeURI(name).slice(0, MOST.characters)}"`);
  return { 'Ignored-Parameters': strings.join(', ') };
}
