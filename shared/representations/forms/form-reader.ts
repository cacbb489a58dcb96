import { isUtf8Label } from '../../http/fields/media-type.ts';
import type { Fault } from '../../http/problem.ts';
import { decodeUtf8 } from '../../json/parse.ts';
import type { FormFields } from './inputs.ts';
import { type FormPart, readMultipart } from './multipart.ts';

/** The inputs of a form, and its files. `size`: bytes of all parts except files. */
export interface FormParts {
  readonly fields: FormFields;
  readonly files: readonly FormPart[];
  readonly size: number;
}

type ReadFields = FormParts | { readonly fault: Fault };

/** The forms that were read, by their bytes. If the service refuses a form, it shows its inputs again. */
const READ = new WeakMap<Uint8Array, Promise<ReadFields>>();

/** Reads the content of a form once. A file input without a file counts as not sent. Source: Specification 2.22. */
export function readFormFields(bytes: Uint8Array, contentType: string): Promise<ReadFields> {
  const before = READ.get(bytes);
  if (before) return before;
  const read = readOnce(bytes, contentType);
  READ.set(bytes, read);
  return read;
}

/** A copy of the content of a form that was read. Its inputs are others. */
export function withFields(bytes: Uint8Array, form: FormParts, fields: FormFields): Uint8Array {
  const copy = bytes.slice();
  READ.set(copy, Promise.resolve({ ...form, fields }));
  return copy;
}

/** The name of an input in which a form says its encoding. Source: RFC 7578 §4.6; HTML Living Standard §4.10.19.1. */
const CHARSET_INPUT = '_charset_';

async function readOnce(bytes: Uint8Array, contentType: string): Promise<ReadFields> {
  const read = await readParts(bytes, contentType);
  if ('fault' in read || !read.fields.has(CHARSET_INPUT)) return read;
  const labels = read.fields.get(CHARSET_INPUT) ?? [];
  return labels.every((label) => label === '' || isUtf8Label(label))
    ? { ...read, fields: new Map([...read.fields].filter(([name]) => name !== CHARSET_INPUT)) }
    : {
        fault: {
          detail: `The form is in another encoding than UTF-8, as ${CHARSET_INPUT} says`,
          pointer: '',
        },
      };
}

async function readParts(bytes: Uint8Array, contentType: string): Promise<ReadFields> {
  if (!/^\s*multipart\//i.test(contentType)) return readUrlencoded(bytes);
  const multipart = await readMultipart(bytes, contentType);
  if ('fault' in multipart) return multipart;
  const { parts } = multipart;
  const files = parts.filter(({ filename, bytes: part }) => filename || (filename === '' && part.length > 0));
  const inputs = parts.filter(({ filename }) => filename === undefined);
  for (const { name, bytes: part } of inputs) {
    if (decodeUtf8(part) === undefined)
      return { fault: { detail: `The input ${name} is not UTF-8`, pointer: '' } };
  }
  const size = inputs.reduce((sum, one) => sum + one.bytes.length, 0);
  return { fields: fieldsOf(inputs), files, size };
}

/** The inputs among the parts of a form: the parts that are not files. */
export const fieldsOf = (parts: readonly FormPart[]): FormFields =>
  grouped(
    parts.flatMap(({ name, filename, bytes }) =>
      filename === undefined ? [[name, decodeUtf8(bytes) ?? ''] as const] : [],
    ),
  );

/** Refuses malformed text, which the URL standard would replace by U+FFFD. Source: URL Living Standard §5.1. */
function readUrlencoded(bytes: Uint8Array): FormParts | { fault: Fault } {
  const text = decodeUtf8(bytes);
  if (text === undefined) return { fault: { detail: 'The form is not UTF-8', pointer: '' } };
  try {
    const pairs = text
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair): [string, string] => {
        const equals = pair.indexOf('=');
        const [name, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
        return [decoded(name), decoded(value)];
      });
    return { fields: grouped(pairs), files: [], size: bytes.length };
  } catch {
    return { fault: { detail: 'The form is not validly percent-encoded', pointer: '' } };
  }
}

const decoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

function grouped(pairs: readonly (readonly [string, string])[]): FormFields {
  const fields = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return fields;
}
