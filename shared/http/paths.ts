/** A URI template of level 1 whose variables are whole path segments. Source: RFC 6570 §1.2. */
export interface UriTemplate {
  readonly template: string;
  /** The variables, in order. */
  readonly names: readonly string[];
  /**
   * The path with each variable percent-encoded. Source: RFC 6570 §3.2.2.
   *
   * @throws TypeError when a variable has no value
   */
  expand(values: Readonly<Record<string, string | number>>): string;
  /**
   * The values of the variables in a raw path, still percent-encoded; undefined if the path does not match. A
   * variable is one segment that is not empty. Everything else matches character by character.
   */
  match(path: string): Readonly<Record<string, string>> | undefined;
}

const noValues: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Compiles a template, for example `/customers/{id}/orders`. Source: RFC 6570 §1.2 (level 1).
 *
 * @throws TypeError when the template is malformed, which is an error of the programmer
 */
export function compileTemplate(template: string): UriTemplate {
  // Even positions are literal text, odd positions are names: '/customers/', 'id', '/orders'.
  const parts = template.split(/\{(\w+)\}/);
  const names = parts.filter((_, i) => i % 2 === 1);
  const literals = parts.filter((_, i) => i % 2 === 0);
  const last = literals.length - 1;
  const wholeSegments = literals.every(
    (text, i) =>
      !/[{}]/.test(text) && (i === 0 || text === '' || text[0] === '/') && (i === last || text.endsWith('/')),
  );
  if (!wholeSegments || new Set(names).size !== names.length) {
    throw new TypeError(`Not a template of whole path segments: ${template}`);
  }
  return {
    template,
    names,
    expand(values) {
      let path = literals[0] ?? '';
      for (const [i, name] of names.entries()) {
        const value = values[name];
        if (value === undefined) throw new TypeError(`${template} needs a value for ${name}`);
        path += encodeSegment(value) + literals[i + 1];
      }
      return path;
    },
    match(path) {
      if (last === 0) return path === template ? noValues : undefined;
      if (!path.startsWith(literals[0] ?? '')) return undefined;
      let at = (literals[0] ?? '').length;
      const values: Record<string, string> = {};
      for (let i = 0; i < last; i++) {
        const slash = path.indexOf('/', at);
        const end = slash < 0 ? path.length : slash;
        const literal = literals[i + 1] ?? '';
        if (end === at || !path.startsWith(literal, end)) return undefined;
        values[names[i] ?? ''] = path.slice(at, end);
        at = end + literal.length;
      }
      return at === path.length ? values : undefined;
    },
  };
}

/**
 * A path segment, decoded once; undefined if its percent-encoding is malformed or is not UTF-8. Source: RFC 3986
 * §2.1, RFC 3629.
 */
export function decodeSegment(raw: string): string | undefined {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}

/**
 * A value as one path segment, with all characters percent-encoded but the unreserved ones. Source: RFC 6570
 * §3.2.2, RFC 3986 §2.3.
 */
function encodeSegment(value: string | number): string {
  if (typeof value === 'number') return encodeURIComponent(value);
  if (/^[\w.~-]*$/.test(value)) return value;
  // A lone surrogate has no UTF-8 form, so it becomes U+FFFD.
  return encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * Percent-encoded letters, digits, `-`, `_` and `~`. A dot is excluded, because decoding it could create the
 * segment `.` or `..`.
 */
const UNRESERVED = /%(?:2D|5F|7E|3[0-9]|[46][1-9A-F]|[57][0-9A])/gi;

/** A path without unnecessary percent-encoding. Source: RFC 3986 §6.2.2.2; RFC 9110 §4.2.3. */
export const plainPath = (path: string): string => path.replace(UNRESERVED, decodeURIComponent);
