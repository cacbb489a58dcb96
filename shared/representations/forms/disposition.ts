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
const PARAMETER =
  /[ \t]*;[ \t]*([!#$&+.^_`|~\w-]+\*?)[ \t]*=[ \t]*(?:"((?:\\"|[^"])*)"|([^ \t\r\n";]+))[ \t]*/y;
const TYPE = /^[ \t]*form-data(?=[ \t]*;)/i;
const EXTENDED = /^utf-8'[^']*'((?:%[0-9a-f]{2}|[!#$&+.^_`|~\w-])*)$/i;
/** The only escapes of browsers in a quoted name. */
const ESCAPED: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n', '\\"': '"' };

/** The fault of a part that nothing names. */
const NAMELESS = 'has no Content-Disposition that names it, such as form-data; name="photo"';

/**
 * Reads a part's Content-Disposition, whose bytes are given as Latin-1 characters. The result is its fault if it is
 * malformed, has no name, repeats a parameter, or if a name is not UTF-8. A filename that is a path counts as its
 * last part. `filename*`, which a form should not send, has precedence over `filename` if it is readable.
 *
 * Source: RFC 7578 §4.2, §5.1; HTML "Multipart form data" (escapes); RFC 8187 §3.2.1; RFC 6266 §4.3.
 */
export function parseDisposition(field: string): Disposition | string {
  const parameters = parametersOf(field);
  const sent = parameters?.get('name');
  if (!parameters || sent === undefined) return NAMELESS;
  const name = utf8(sent);
  if (name === undefined) return 'has a name that is not UTF-8';
  const [extended, plain] = [parameters.get('filename*'), parameters.get('filename')];
  if (extended === undefined && plain === undefined) return { name };
  const filename =
    (extended === undefined ? undefined : decoded(extended)) ?? (plain === undefined ? plain : utf8(plain));
  return filename === undefined
    ? 'has a filename that is not UTF-8'
    : { name, filename: filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1) };
}

const utf8 = (latin1: string): string | undefined => decodeUtf8(Buffer.from(latin1, 'latin1'));

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
