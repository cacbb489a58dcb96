import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { meterClient } from '../meter.ts';
import { lazyClient, withoutLogger } from './client.ts';

/** The DynamoDB client. The first call creates it, and so does the first call after `configureClients`. */
export const dynamoDb = /* @__PURE__ */ lazyClient((settings) =>
  meterClient(requireWholeResponses(withoutLogger(new DynamoDBClient(settings))), 'dynamodb'),
);

/** The time for the content of a response, in ms. The SDK limits only the time until the response begins. */
const CONTENT_MS = 3000;

/** The part of a response that this module uses. The names of header fields are in lower case. */
interface HttpResponse {
  readonly headers: Readonly<Record<string, string>>;
  body?: Uint8Array | Readable;
}

/**
 * Makes a client of DynamoDB verify the CRC32 of each response, or its JSON if it has no CRC32. A damaged, cut or late
 * content counts as a broken connection, so the client makes another attempt. The SDK would return damaged items.
 *
 * Source: Amazon DynamoDB Developer Guide, "DynamoDB low-level API": `X-Amz-Crc32`; AWS SDK for JavaScript v3 Developer
 * Guide, "Customizing the middleware stack".
 */
export function requireWholeResponses(client: DynamoDBClient): DynamoDBClient {
  client.middlewareStack.add(
    (next) => async (call) => {
      const result = await next(call);
      if (isHttp(result.response)) result.response.body = await contentOf(result.response);
      return result;
    },
    // With this priority, the content is read before the SDK parses it, and once in each attempt.
    { step: 'deserialize', priority: 'low', name: 'requireWholeResponses' },
  );
  return client;
}

const isHttp = (response: unknown): response is HttpResponse =>
  typeof response === 'object' && response !== null && 'headers' in response;

/** @throws Error whose name or code makes the SDK try again */
async function contentOf({ headers, body = new Uint8Array() }: HttpResponse): Promise<Uint8Array> {
  const content = body instanceof Uint8Array ? body : await inTime(body);
  const checksum = headers['x-amz-crc32'];
  const isWhole = checksum === undefined ? isJson(content) : Number(checksum) === crc32(content);
  if (isWhole) return content;
  throw Object.assign(new Error('The response of DynamoDB is damaged or cut'), { code: 'ECONNRESET' });
}

async function inTime(body: Readable): Promise<Uint8Array> {
  const late = Object.assign(new Error(`DynamoDB did not end its response within ${CONTENT_MS} ms`), {
    name: 'TimeoutError',
  });
  const timer = setTimeout(() => body.destroy(late), CONTENT_MS);
  try {
    return await buffer(body);
  } finally {
    clearTimeout(timer);
  }
}

function isJson(content: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString());
    return true;
  } catch {
    return false;
  }
}
