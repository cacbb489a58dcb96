/**
 * The declared name that differs from a given one only in the case of its letters; undefined if there is none, or if the
 * name itself is declared. Source: Specification 4.13, 4.19.
 */
export function otherCaseOf(name: string, declared: Iterable<string>): string | undefined {
  const lower = name.toLowerCase();
  let found: string | undefined;
  for (const one of declared) {
    if (one === name) return undefined;
    if (one.toLowerCase() === lower) found ??= one;
  }
  return found;
}
