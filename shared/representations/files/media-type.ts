import { UNKNOWN_TYPE } from '../../http/fields/media-type.ts';
import { decodeUtf8 } from '../../json/parse.ts';

/** Bytes of a client, with what can tell their media type. */
interface Untyped {
  /** The filename, if the bytes have one. */
  readonly name?: string | undefined;
  /** Undefined if the client sends the bytes later. */
  readonly bytes?: Uint8Array | undefined;
  /** The media type if neither the name nor the bytes give one. */
  readonly otherwise?: string | undefined;
  /** True if the bytes are from the form of a page: a browser names no charset. */
  readonly isOfPage?: boolean | undefined;
}

/**
 * The media type of bytes: the declared one, unless it is missing or application/octet-stream. Then the ending of the
 * name decides, and otherwise the first bytes. Text of a page in UTF-8 gets this charset.
 *
 * Source: RFC 9110 §8.3; RFC 7578 §4.4; Specification 2.48.
 */
export async function mediaTypeFor(declared: string | undefined, untyped: Untyped = {}): Promise<string> {
  const { name, bytes, otherwise, isOfPage } = untyped;
  const type =
    declared !== undefined && !isUnknown(declared)
      ? declared
      : ((await inferred(name, bytes)) ?? declared ?? otherwise ?? UNKNOWN_TYPE);
  const isPlain = isOfPage && /^\s*text\/[^;]+$/i.test(type);
  return isPlain && bytes && decodeUtf8(bytes) !== undefined ? `${type.trim()}; charset=utf-8` : type;
}

const inferred = async (
  name: string | undefined,
  bytes: Uint8Array | undefined,
): Promise<string | undefined> => (await import('./inferred-type.ts')).inferredType(name, bytes);

const isUnknown = (declared: string): boolean => declared.trim().toLowerCase() === UNKNOWN_TYPE;
