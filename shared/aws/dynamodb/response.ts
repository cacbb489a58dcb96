import { crc32 } from 'node:zlib';
import { type CallError, disconnected, errorOf, type Metadata, type Refusal } from './errors.ts';
import type { HttpResponse } from './transport.ts';
import { read } from './values.ts';

/** The output of an operation. */
export interface Output {
  $metadata: Metadata;
}

/**
 * Reads a response. Returns the output of the operation, or the error that DynamoDB sent.
 * @throws CallError `NetworkingError` if the response is incomplete or damaged
 *
 * Source: Amazon DynamoDB Developer Guide, "DynamoDB low-level API": `X-Amz-Crc32`.
 */
export async function resultOf({ statusCode, headers, body }: HttpResponse): Promise<Output | CallError> {
  const content = await contentOf(body);
  const field = (name: string): string | undefined => headers[name]?.toString();
  const checksum = field('x-amz-crc32');
  if (checksum !== undefined && Number(checksum) !== crc32(content))
    throw disconnected('The response of DynamoDB is damaged: its CRC32 differs from x-amz-crc32');
  const metadata = { httpStatusCode: statusCode, requestId: field('x-amzn-requestid') };
  const text = content.toString();
  if (statusCode >= 400) return errorOf(refusalIn(text), metadata, field('x-amzn-errortype'));
  try {
    return Object.assign(read(text), { $metadata: metadata });
  } catch {
    throw disconnected(`The response of DynamoDB with the status ${statusCode} is not JSON`);
  }
}

async function contentOf(body: HttpResponse['body']): Promise<Buffer> {
  if (body === undefined) return Buffer.alloc(0);
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The content of an error. A proxy between this process and DynamoDB can send something else. */
function refusalIn(text: string): Refusal {
  try {
    return read(text) as Refusal;
  } catch {
    return {};
  }
}
