import { decodeUtf8 } from '../../json/parse.ts';

/** The label of a part of a form. */
export interface Disposition {
  readonly name: string;
  readonly filename?: string;
}

/**
 * `; name=token` or `; name="text"`. A backslash escapes a quote only. Before any other character it is an ordinary
 * character, as browsers send it.
 */
const PARAMETER = /[ \t]*;[ \t]*([!#$&+.^_`|~\w-]+\*?)[ \t]*=[ \t]*(?:"((?:\\"|[^"])*)"|([^\s";]+))[ \t]*/y;
const TYPE = /^[ \t]*form-data(?=[ \t]*;)/i;
const EXTENDED = /^utf-8'[^']*'((?:%[0-9a-f]{2}|[!#$&+.^_`|~\w-])*)$/i;
/** The only escapes of browsers in a quoted name. */
const ESCAPED: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n', '\\"': '"' };

/**
 * Reads a part's Content-Disposition, whose bytes are given as Latin-1 characters. Undefined if it is malformed, is
 * not UTF-8, has no name, or repeats a parameter. Names stay exactly as the client sent them, even if they look
 * like paths. `filename*`, which a form should not send, has precedence over `filename`.
 *
 * Source: RFC 7578 §4.2, §5.1; HTML "Multipart form data" (escapes); RFC 8187 §3.2; RFC 6266 §4.3.
 */
export function parseDisposition(field: string): Disposition | undefined {
  const text = decodeUtf8(Buffer.from(field, 'latin1'));
  const parameters = text === undefined ? undefined : parametersOf(text);
  const name = parameters?.get('name');
  if (!parameters || name === undefined) return undefined;
  const extended = parameters.get('filename*');
  const filename = extended === undefined ? parameters.get('filename') : decoded(extended);
  if (extended !== undefined && filename === undefined) return undefined;
  return filename === undefined ? { name } : { name, filename };
}

function parametersOf(text: string): ReadonlyMap<string, string> | undefined {
  const type = TYPE.exec(text);
  if (!type) return undefined;
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = type[0].length;
  while (PARAMETER.lastIndex < text.length) {
    const [found, name = '', quoted, token = ''] = PARAMETER.exec(text) ?? [];
    const key = name.toLowerCase();
    if (found === undefined || parameters.has(key)) return undefined;
    const value = quoted?.replace(/%22|%0D|%0A|\\"/gi, (one) => ESCAPED[one.toUpperCase()] as string);
    parameters.set(key, value ?? token);
  }
  return parameters;
}

function decoded(extended: string): string | undefined {
  try {
    const encoded = EXTENDED.exec(extended)?.[1];
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
