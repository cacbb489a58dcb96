import type { APIGatewayProxyResult } from 'aws-lambda';

/** A response as the server sends it. */
export interface WireResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | Buffer;
}

/** A function's response that API Gateway cannot pass on. The client gets 502. */
export class BadGateway extends Error {}

/**
 * Maximum bytes of a function's response as JSON, and of all header names and values together. Source: Lambda quotas,
 * API Gateway quotas.
 */
const MAXIMUM_RESULT = 6_291_556;
const MAXIMUM_HEADERS = 10_240;

/**
 * Header fields that API Gateway renames, because it sets them itself. Source: API Gateway Developer Guide, "Known
 * issues".
 */
const REMAPPED = new Set(['content-length', 'connection', 'date', 'server', 'www-authenticate']);
/** Header fields of one connection, which API Gateway never passes on. Source: RFC 9110 §7.6.1; same page. */
const HOP_BY_HOP = new Set('trailer te transfer-encoding upgrade keep-alive proxy-connection'.split(' '));

/**
 * Converts a function's response as a REST API does.
 * @throws BadGateway if API Gateway would refuse the response.
 */
export function wireResponse(method: string, result: APIGatewayProxyResult | undefined): WireResponse {
  if (!result || !Number.isInteger(result.statusCode))
    throw new BadGateway('Malformed Lambda proxy response');
  // JSON needs at most six bytes for a character, and the header fields have a limit of their own.
  const mayBeLarge = (result.body?.length ?? 0) > MAXIMUM_RESULT / 8;
  if (mayBeLarge && payloadBytes(result) > MAXIMUM_RESULT)
    throw new BadGateway('Response payload size exceeded');
  const stated = statedLength(method, result);
  const headers = headersOf(result).filter(
    ([name]) => stated === undefined || name !== 'x-amzn-Remapped-Content-Length',
  );
  const broken = headers.find(
    ([name, value]) => !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value),
  );
  if (broken) throw new BadGateway(`The header field ${JSON.stringify(broken[0])} cannot be sent`);
  const bytes = headers.reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value), 0);
  if (bytes > MAXIMUM_HEADERS) throw new BadGateway('Response headers are too large');

  const { statusCode: status, isBase64Encoded, body = '' } = result;
  const content = isBase64Encoded ? Buffer.from(body, 'base64') : body;
  const bodiless = status === 204 || status === 304 || status < 200;
  if (!bodiless) {
    // The length of the function's body. A response to HEAD has this length but no body.
    headers.push(['Content-Length', stated ?? String(Buffer.byteLength(content))]);
    // API Gateway also adds it without content, where it says something wrong. Source: Specification 2.51.
    if (content.length > 0 && !headers.some(([name]) => name.toLowerCase() === 'content-type'))
      headers.push(['Content-Type', 'application/json']);
  }
  return { status, headers, body: bodiless || method === 'HEAD' ? '' : content };
}

/**
 * Returns the Content-Length that the function states for a response to HEAD without body. Unlike API Gateway, this
 * gateway keeps it, as SAM does.
 */
function statedLength(method: string, { body, headers }: APIGatewayProxyResult): string | undefined {
  const length = method === 'HEAD' && !body ? headers?.['Content-Length'] : undefined;
  return length === undefined ? undefined : String(length);
}

function headersOf({ headers, multiValueHeaders }: APIGatewayProxyResult): [string, string][] {
  return Object.entries({ ...headers, ...multiValueHeaders }).flatMap(([name, values]) => {
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower)) return [];
    const sent = REMAPPED.has(lower) ? `x-amzn-Remapped-${name}` : name;
    return [values].flat().map((value): [string, string] => [sent, String(value)]);
  });
}

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
