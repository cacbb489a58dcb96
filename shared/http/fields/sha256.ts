/** A digest field with one SHA-256. `sha256` in base64. Source: RFC 9530 §2, §5. */
export const formatSha256 = (sha256: string): string => `sha-256=:${sha256}:`;
