import { decodeUtf8, parseJson } from '../json/parse.ts';
import type { JsonValue } from '../json/value.ts';
import type { PlainRepresentation, ReadDocument, Reader } from './representation.ts';

/** JSON. Source: RFC 8259. */
export const json = {
  mediaType: 'application/json',
  mediaTypes: ['application/json'],
  contentType: 'application/json',
  suffix: 'json',
  write: ({ members }: { readonly members: object }): string => JSON.stringify(members),
  read: (bytes: Uint8Array): ReadDocument => {
    const text = decodeUtf8(bytes);
    if (text === undefined) return { fault: { detail: 'The body is not UTF-8', pointer: '' } };
    const parsed = parseJson(text);
    if ('value' in parsed) return parsed;
    const { fault, pointer, position } = parsed;
    return { fault: { detail: `${fault} (at character ${position})`, pointer } };
  },
};

/** Problem details. Source: RFC 9457 §3. */
export const problemJson: PlainRepresentation = {
  mediaType: 'application/problem+json',
  contentType: 'application/problem+json',
  suffix: 'problem',
  write: json.write,
};

/** Reads one JSON value from each line that is not empty. */
function read(bytes: Uint8Array): ReadDocument {
  const text = decodeUtf8(bytes);
  if (text === undefined) return { fault: { detail: 'The body is not UTF-8', pointer: '' } };
  const values: JsonValue[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = parseJson(line);
    if (!('value' in parsed)) {
      const { fault, pointer, position } = parsed;
      const detail = `Line ${at + 1}: ${fault} (at character ${position})`;
      return { fault: { detail, pointer: `/${values.length}${pointer}` } };
    }
    values.push(parsed.value);
  }
  return { value: values };
}

/** JSON Lines, for lists: each line is an item. Source: jsonlines.org; Specification 2.53. */
export const jsonl: PlainRepresentation & Reader = {
  mediaType: 'application/jsonl',
  mediaTypes: ['application/jsonl', 'application/x-ndjson', 'application/ndjson'],
  contentType: 'application/jsonl',
  suffix: 'jsonl',
  explicit: true,
  write: ({ members }) => {
    const { items } = members as { readonly items: readonly unknown[] };
    return items.map((item) => `${JSON.stringify(item)}\n`).join('');
  },
  read,
};

/** JSON Lines under its other names, each with a suffix of its own: another media type is another representation. */
export const ndjson: readonly PlainRepresentation[] = ['x-ndjson', 'ndjson'].map((subtype) => ({
  ...jsonl,
  mediaType: `application/${subtype}`,
  contentType: `application/${subtype}`,
  suffix: subtype.replace('-', ''),
}));
