const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes UTF-8, without a leading byte order mark; undefined if the bytes are malformed. Source: RFC 8259 §8.1.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
