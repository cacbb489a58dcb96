import { Fault, notImplemented } from './fault.ts';
import type { EngineRequest, EngineResponse } from './wire.ts';

/** One operation of a JSON service: takes the parsed request and returns the response document. */
export type JsonOperation<Context> = (context: Context, request: object, name: string) => Answer;

type Answer = object | JsonText | Promise<object | JsonText>;

/** A response document that is JSON text already: stored documents need no parsing and writing. */
export class JsonText {
  readonly text: string;

  /** `text`: the value of `member`, as JSON. `others`: the other members of the document. */
  constructor(member: string, text: string, others: object) {
    const rest = JSON.stringify(others).slice(1);
    this.text = `{${JSON.stringify(member)}:${text}${rest === '}' ? '' : ','}${rest}`;
  }

  /** Returns the document of an answer. */
  static parsed(answer: object): object {
    return answer instanceof JsonText ? JSON.parse(answer.text) : answer;
  }
}

/** The wire differences between JSON services. `namespace` is the prefix of `__type` in errors. */
export interface JsonService<Context> {
  name: string;
  namespace: string;
  operations: Readonly<Record<string, JsonOperation<Context>>>;
}

/**
 * An operation that accepts exactly the members in `accepts`, with spaces between them. Any other member is a feature
 * that the engine lacks. The engine refuses it by name and does not ignore it (501 NotImplemented).
 */
export function jsonOperation<Context, Request extends object>(
  accepts: string,
  run: (context: Context, request: Request) => Answer,
): JsonOperation<Context> {
  const accepted = new Set(accepts.split(' '));
  return (context, request, name) => {
    const unknown = Object.keys(request).find((member) => !accepted.has(member));
    if (unknown !== undefined) throw notImplemented(`${name} with ${unknown}`);
    return run(context, request as Request);
  };
}

// DynamoDB allows 16 MB a request. SQS accepts no larger request.
const BODY_LIMIT = 16 * 1024 * 1024;

/**
 * Handles one request of the AWS JSON protocol. It never throws. A Fault becomes its error document, any other error
 * an InternalServerError (500). Source: Smithy "AWS JSON 1.0 protocol".
 */
export async function answerJson<Context>(
  service: JsonService<Context>,
  context: Context,
  request: EngineRequest,
  authorize: (body: Uint8Array) => void,
): Promise<EngineResponse> {
  const name = (request.headers['x-amz-target'] ?? '').split('.')[1] ?? '';
  try {
    const body = await readBody(request);
    authorize(body);
    return response(200, await runOperation(service, context, name, parse(body)));
  } catch (error) {
    const { code, message, status, details } = Fault.of(error, 'InternalServerError');
    return response(status, { __type: `${service.namespace}#${code}`, message, ...details });
  }
}

/**
 * Runs one operation on a request document.
 * @throws Fault; any other error is a defect or a failure of the disk
 */
export function runOperation<Context>(
  service: JsonService<Context>,
  context: Context,
  name: string,
  document: object,
): Answer {
  const operation = Object.hasOwn(service.operations, name) ? service.operations[name] : undefined;
  if (!operation) throw notImplemented(`${service.name} ${name}`);
  return operation(context, document, name);
}

async function readBody({ body }: EngineRequest): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > BODY_LIMIT) throw new Fault('RequestEntityTooLarge', `More than ${BODY_LIMIT} bytes`, 413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(body: Buffer): object {
  try {
    const document: unknown = JSON.parse(body.toString());
    if (typeof document === 'object' && document !== null) return document;
  } catch {
    // answered below
  }
  throw new Fault('SerializationException', 'The request is not a JSON object');
}

function response(status: number, document: object | JsonText): EngineResponse {
  const body = Buffer.from(document instanceof JsonText ? document.text : JSON.stringify(document));
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'content-length': String(body.length) };
  return { status, headers: { ...headers, 'x-amzn-requestid': crypto.randomUUID() }, body };
}
