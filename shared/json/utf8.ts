const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The text that bytes hold in UTF-8, without a leading byte order mark; undefined when they are not UTF-8.
 * Source: RFC 8259 §8.1.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
