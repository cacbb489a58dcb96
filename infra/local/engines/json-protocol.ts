import { readBody } from './body.ts';
import type { EngineRequest, EngineResponse } from './engines.ts';
import { Fault, notImplemented } from './fault.ts';

/** One operation of a JSON service: takes the parsed request, answers the response document. */
export type JsonOperation<Context> = (
  context: Context,
  request: Record<string, unknown>,
  name: string,
) => object | Promise<object>;

/**
 * An operation that accepts exactly the named members. Any other member is a feature this engine does not
 * have, and is refused by name instead of being ignored (501 NotImplemented).
 */
export function jsonOperation<Context, Request extends object>(
  accepts: readonly (keyof Request & string)[],
  run: (context: Context, request: Request) => object | Promise<object>,
): JsonOperation<Context> {
  const accepted = new Set<string>(accepts);
  return (context, request, name) => {
    for (const member of Object.keys(request)) {
      if (!accepted.has(member)) throw notImplemented(`${name} with ${member}`);
    }
    return run(context, request as Request);
  };
}

/** What tells one JSON service from another on the wire. */
export interface JsonService<Context> {
  name: string;
  contentType: string;
  /** Prefix of `__type` in error documents. */
  namespace: string;
  operations: Readonly<Record<string, JsonOperation<Context>>>;
  /** Legacy error code for the `x-amzn-query-error` header, if the service has one. */
  queryError?: (code: string) => string;
}

// DynamoDB allows 16 MB a request; nothing SQS accepts is longer.
const BODY_LIMIT = 16 * 1024 * 1024;

/**
 * Answers one request of the AWS JSON protocol. Never throws: a Fault becomes its error document, anything
 * else an InternalServerError (500).
 *
 * Source: Smithy "AWS JSON 1.0 protocol".
 */
export async function answerJson<Context>(
  service: JsonService<Context>,
  context: Context,
  request: EngineRequest,
  authorize: () => void,
): Promise<EngineResponse> {
  const name = (request.headers['x-amz-target'] ?? '').split('.')[1] ?? '';
  try {
    const body = await readBody(request.body, BODY_LIMIT);
    authorize();
    const operation = Object.hasOwn(service.operations, name) ? service.operations[name] : undefined;
    if (!operation) throw notImplemented(`${service.name} ${name}`);
    return response(service, 200, await operation(context, parse(body), name));
  } catch (error) {
    const fault =
      error instanceof Fault ? error : new Fault('InternalServerError', String((error as Error)?.stack), 500);
    const document = {
      __type: `${service.namespace}#${fault.code}`,
      message: fault.message,
      ...fault.details,
    };
    const answer = response(service, fault.status, document);
    const legacy = service.queryError?.(fault.code);
    if (legacy) answer.headers['x-amzn-query-error'] = `${legacy};Sender`;
    return answer;
  }
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    const document: unknown = JSON.parse(body.toString('utf8') || '{}');
    if (typeof document === 'object' && document !== null) return document as Record<string, unknown>;
  } catch {
    // answered below
  }
  throw new Fault('SerializationException', 'Start of structure or map found where not expected');
}

function response<Context>(service: JsonService<Context>, status: number, document: object): EngineResponse {
  const body = Buffer.from(JSON.stringify(document));
  return {
    status,
    headers: {
      'content-type': service.contentType,
      'content-length': String(body.length),
      'x-amzn-requestid': crypto.randomUUID(),
    },
    body,
  };
}
