import { readBody } from './body.ts';
import type { EngineRequest, EngineResponse } from './engines.ts';
import { Fault, notImplemented } from './fault.ts';

/** One operation of a JSON service: takes the parsed request, answers the response document. */
export type JsonOperation<Context> = (
  context: Context,
  request: object,
  name: string,
) => object | Promise<object>;

/** What tells one JSON service from another on the wire; `namespace` is the prefix of `__type` in errors. */
export interface JsonService<Context> {
  name: string;
  namespace: string;
  operations: Readonly<Record<string, JsonOperation<Context>>>;
}

/**
 * An operation that knows exactly the members listed in `accepts`, with spaces between them. Any other one is a
 * feature this engine does not have, and is refused by name instead of being ignored (501 NotImplemented).
 */
export function jsonOperation<Context, Request extends object>(
  accepts: string,
  run: (context: Context, request: Request) => object | Promise<object>,
): JsonOperation<Context> {
  const accepted = new Set(accepts.split(' '));
  return (context, request, name) => {
    for (const member of Object.keys(request)) {
      if (!accepted.has(member)) throw notImplemented(`${name} with ${member}`);
    }
    return run(context, request as Request);
  };
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
    return response(200, await operation(context, parse(body), name));
  } catch (error) {
    const { code, message, status, details } =
      error instanceof Fault ? error : new Fault('InternalServerError', String((error as Error)?.stack), 500);
    return response(status, { __type: `${service.namespace}#${code}`, message, ...details });
  }
}

function parse(body: Buffer): object {
  try {
    const document: unknown = JSON.parse(body.toString());
    if (typeof document === 'object' && document !== null) return document;
  } catch {
    // answered below
  }
  throw new Fault('SerializationException', 'Start of structure or map found where not expected');
}

function response(status: number, document: object): EngineResponse {
  const body = Buffer.from(JSON.stringify(document));
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': String(body.length),
    'x-amzn-requestid': crypto.randomUUID(),
  };
  return { status, headers, body };
}
