/**
 * The JSON of DynamoDB's protocol. It has bytes as base64 text, in `B` and `BS` of attribute values. Numbers are texts
 * on both sides, so they need no conversion.
 *
 * Source: Amazon DynamoDB API Reference, AttributeValue.
 */
interface Bytes {
  B?: unknown;
  BS?: unknown;
}

/** Writes the input of an operation as JSON. */
export const written = (input: object): string => JSON.stringify(input, withText);

/**
 * Replaces bytes in an attribute value. It does so at the attribute value, because JSON.stringify would first make an
 * array of numbers from a Buffer.
 */
function withText(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { B: one, BS: some } = value as Bytes;
  if (one instanceof Uint8Array) return { B: base64(one) };
  return Array.isArray(some) ? { BS: some.map(base64) } : value;
}

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

/** Reads the JSON of a response. An attribute that is itself called `B` has an object as its value, never a text. */
export function read(json: string): Record<string, unknown> {
  const output = JSON.parse(json) as Record<string, unknown>;
  restoreBytes(output);
  return output;
}

function restoreBytes(value: object): void {
  const bytes = value as Bytes;
  if (typeof bytes.B === 'string') bytes.B = bytesOf(bytes.B);
  else if (Array.isArray(bytes.BS)) bytes.BS = bytes.BS.map(bytesOf);
  else for (const one of Object.values(value)) if (typeof one === 'object' && one !== null) restoreBytes(one);
}

function bytesOf(text: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(text, 'base64');
  return new Uint8Array(buffer, byteOffset, byteLength);
}
