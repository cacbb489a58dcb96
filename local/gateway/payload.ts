/** An event or a result of a function: JSON with a body that can be base64. */
interface Payload {
  readonly body?: string | null | undefined;
  readonly isBase64Encoded?: boolean | undefined;
}

/** Bytes of a payload as JSON. A body in base64 has no character that JSON escapes, so it needs no copy. */
export function payloadBytes(payload: Payload): number {
  const { body, isBase64Encoded } = payload;
  if (!isBase64Encoded || !body) return Buffer.byteLength(JSON.stringify(payload));
  return Buffer.byteLength(JSON.stringify({ ...payload, body: '' })) + body.length;
}
