/** The type of bytes whose sender does not know their type. Source: RFC 2046 §4.5.1. */
export const UNKNOWN_TYPE = 'application/octet-stream';

/** Bytes of a client, with what can tell their media type. */
interface Untyped {
  /** The filename, if the bytes have one. */
  readonly name?: string | undefined;
  /** Undefined if the client sends the bytes later. */
  readonly bytes?: Uint8Array | undefined;
  /** The media type if neither the name nor the bytes give one. */
  readonly otherwise?: string | undefined;
}

/**
 * The media type of bytes: the declared one, unless it is missing or application/octet-stream. Then the ending of the
 * name decides, and otherwise the first bytes.
 *
 * Source: RFC 9110 §8.3; RFC 7578 §4.4; Specification 2.48.
 */
export async function mediaTypeFor(declared: string | undefined, untyped: Untyped = {}): Promise<string> {
  if (declared !== undefined && !isUnknown(declared)) return declared;
  const { inferredType } = await import('#media-types');
  return (await inferredType(untyped.name, untyped.bytes)) ?? declared ?? untyped.otherwise ?? UNKNOWN_TYPE;
}

const isUnknown = (declared: string): boolean => declared.trim().toLowerCase() === UNKNOWN_TYPE;
