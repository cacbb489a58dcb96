import { decodeUtf8 } from '../json/utf8.ts';

/** How a part of a form is labelled. */
export interface Disposition {
  readonly name: string;
  readonly filename?: string;
}

/** `; name=token` or `; name="text"`: a backslash escapes a quote; any other one stands for itself, as browsers send it. */
const PARAMETER = /[ \t]*;[ \t]*([!#$&+.^_`|~\w-]+\*?)[ \t]*=[ \t]*(?:"((?:\\"|[^"])*)"|([^\s";]+))[ \t]*/y;
const TYPE = /^[ \t]*form-data(?=[ \t]*;)/i;
const EXTENDED = /^utf-8'[^']*'((?:%[0-9a-f]{2}|[!#$&+.^_`|~\w-])*)$/i;
/** What browsers escape in a quoted name, and nothing else. */
const ESCAPED: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n', '\\"': '"' };

/**
 * Reads a part's Content-Disposition, whose bytes are given as Latin-1 characters; undefined where it is malformed, not
 * UTF-8, without a name, or says something twice. Names are kept exactly as they were sent: nothing that looks like a
 * path is cut off. `filename*`, which a form should not send, is believed rather than `filename`.
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
