import { decodeUtf8, parseJson } from '../json/parse.ts';
import type { PlainRepresentation, ReadDocument } from './representation.ts';

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
