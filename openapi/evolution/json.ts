/** A JSON object of unknown shape. */
export type Json = Readonly<Record<string, unknown>>;

/** True for a JSON object. */
export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for a JSON object or array, whose elements have names too. */
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/**
 * Returns the object that a value is or refers to; undefined for anything else. Siblings of `$ref` override its
 * target.
 */
export type Resolve = (value: unknown) => Json | undefined;

/** Follows references within one document. Source: OpenAPI 3.1.1 §4.8.23; RFC 6901 §6. */
export function resolver(document: unknown): Resolve {
  const resolve: Resolve = (value) => {
    if (!isJson(value)) return undefined;
    const { $ref, ...beside } = value;
    if (typeof $ref !== 'string') return value;
    let target: unknown = document;
    for (const token of $ref.slice(2).split('/')) {
      const name = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
      target = isObject(target) ? target[name] : undefined;
    }
    const found = resolve(target);
    return found && { ...found, ...beside };
  };
  return resolve;
}

/** Names and values. */
export const members = (value: unknown): [string, unknown][] => Object.entries(isJson(value) ? value : {});

/** Returns the names alone. */
export const texts = (value: unknown): string[] => members(value).map(([name]) => name);
