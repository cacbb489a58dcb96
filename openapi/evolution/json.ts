/** A JSON object of unknown shape. */
export type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the object that a value is or refers to; undefined for anything else. Siblings of `$ref` override its
 * target.
 */
export type Resolve = (value: unknown) => Json | undefined;

/** Follows references within one document. Source: OpenAPI 3.1.1 §4.8.23; RFC 6901 §6. */
export function resolver(document: Json): Resolve {
  const resolve: Resolve = (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const { $ref, ...beside } = value as Json;
    if (typeof $ref !== 'string') return value as Json;
    let target: unknown = document;
    for (const token of $ref.slice(2).split('/')) {
      const name = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
      target = (target as Json | undefined)?.[name];
    }
    const found = resolve(target);
    return found && { ...found, ...beside };
  };
  return resolve;
}

/** Names and values. */
export const members = (value: Json | undefined): [string, unknown][] => Object.entries(value ?? {});

/** The names alone. */
export const texts = (value: Json | undefined): string[] => Object.keys(value ?? {});
