import { fileTypeFromBuffer } from 'file-type';
import { lookup } from 'mime-types';
import { UNKNOWN_TYPE } from '../../http/fields/media-type.ts';

/**
 * The media type by the ending of the filename, otherwise by the first bytes; undefined if neither gives one. The first
 * file without a type loads this module, because its tables are large.
 *
 * Source: Specification 2.48; IANA media types.
 */
export async function inferredType(
  name: string | undefined,
  bytes: Uint8Array | undefined,
): Promise<string | undefined> {
  return typeOfName(name) ?? (bytes && (await fileTypeFromBuffer(bytes))?.mime);
}

function typeOfName(name = ''): string | undefined {
  // Without a dot, mime-types takes the whole name as an ending.
  const type = name.includes('.') && lookup(name);
  return type && type !== UNKNOWN_TYPE ? type : undefined;
}
