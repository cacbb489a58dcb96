import { typedDocument } from './dynamodb/values/typed-document.ts';
import type { Engines, TypedService } from './engines.ts';
import { Fault } from './fault.ts';

/** The parts of the SDK's middleware stack that this module uses. */
interface Stack {
  add(middleware: Middleware, options: { step: 'initialize'; priority: 'low'; name: string }): void;
}
type Middleware = (next: Handler, context: Context) => Handler;
type Handler = (call: { readonly input: object }) => Promise<{ readonly output: object }>;
interface Context {
  readonly clientName?: string;
  readonly commandName?: string;
  readonly __smithy_context?: { readonly abortSignal?: { readonly aborted: boolean } };
}

/** The calls of one client that need no message. */
interface TypedCalls {
  readonly service: TypedService;
  readonly operations: readonly string[];
  /** Returns the package of the client, whose exports have the classes of its errors. */
  readonly errors: () => Promise<object>;
  /** The class of the errors that the package does not export. */
  readonly otherErrors: string;
  /** Makes the SDK's form of a response. */
  readonly typed: (document: object) => object;
}

/**
 * The calls by clients. All others use messages: those of a start, of streams and of S3, whose responses the SDK
 * converts in further ways, and the long polls of SQS.
 */
const CALLS: Readonly<Record<string, TypedCalls>> = {
  DynamoDBClient: {
    service: 'dynamodb',
    operations: [
      'BatchGetItem',
      'DeleteItem',
      'GetItem',
      'PutItem',
      'Query',
      'Scan',
      'TransactWriteItems',
      'UpdateItem',
    ],
    errors: () => import('@aws-sdk/client-dynamodb'),
    otherErrors: 'DynamoDBServiceException',
    typed: typedDocument,
  },
  SQSClient: {
    service: 'sqs',
    operations: ['ChangeMessageVisibility', 'DeleteMessage', 'SendMessage'],
    errors: () => import('@aws-sdk/client-sqs'),
    otherErrors: 'SQSServiceException',
    typed: (document) => document,
  },
  EventBridgeClient: {
    service: 'events',
    operations: ['PutEvents'],
    errors: () => import('@aws-sdk/client-eventbridge'),
    otherErrors: 'EventBridgeServiceException',
    typed: (document) => document,
  },
};

/**
 * Returns a plugin for clients of the AWS SDK: `client.middlewareStack.use(typedCalls(engines))`. Frequent calls then
 * end at the engines in this process, with typed input and output. They need no serialization, signature and message,
 * which take most of the time of a call. The client gets the same outputs and errors. It makes no further attempts:
 * these engines fail again.
 *
 * `services`: those that answer in this process.
 *
 * Source: AWS SDK for JavaScript v3 Developer Guide, "Customizing the middleware stack".
 */
export function typedCalls(engines: Engines, services: readonly TypedService[]) {
  const middleware: Middleware = (next, { clientName = '', commandName = '', __smithy_context }) => {
    const calls = CALLS[clientName];
    const operation = commandName.replace(/Command$/, '');
    if (!calls || !services.includes(calls.service) || !calls.operations.includes(operation)) return next;
    const signal = __smithy_context?.abortSignal;
    return async ({ input }) => {
      refuseAborted(signal);
      // Waits for one turn of the event loop, as a socket would. Otherwise a loop of calls blocks timers and sockets,
      // and requests at the same time do not race.
      await new Promise((resolve) => setImmediate(resolve));
      refuseAborted(signal);
      const $metadata = { requestId: crypto.randomUUID(), attempts: 1, totalRetryDelay: 0 };
      try {
        const document = await engines.run(calls.service, operation, documentOf(input));
        const output = { ...calls.typed(document), $metadata: { httpStatusCode: 200, ...$metadata } };
        return { response: {}, output };
      } catch (error) {
        throw await errorOf(Fault.of(error, 'InternalServerError'), calls, $metadata);
      }
    };
  };
  return {
    applyToStack(stack: Stack): void {
      stack.add(middleware, { step: 'initialize', priority: 'low', name: 'typedCalls' });
    },
  };
}

function refuseAborted(signal: { readonly aborted: boolean } | undefined): void {
  if (signal?.aborted) throw Object.assign(new Error('Request aborted'), { name: 'AbortError' });
}

/** Returns the document of a typed input: without undefined members, with base64 in place of bytes. */
function documentOf(input: object): object {
  return Object.fromEntries(
    Object.entries(input).flatMap(([member, content]) =>
      content === undefined ? [] : [[member, contentOf(content)]],
    ),
  );
}

function contentOf(content: unknown): unknown {
  if (typeof content !== 'object' || content === null) return content;
  if (Array.isArray(content)) return content.map(contentOf);
  if (content instanceof Date) return content.getTime() / 1000;
  return content instanceof Uint8Array ? Buffer.from(content).toString('base64') : documentOf(content);
}

/** Returns the error of the SDK for a fault. */
async function errorOf(
  { code, message, status, details }: Fault,
  { errors, otherErrors, typed }: TypedCalls,
  $metadata: object,
): Promise<Error> {
  const exports = new Map<string, unknown>(Object.entries(await errors()));
  const $fault = status < 500 ? 'client' : 'server';
  const options = { name: code, message, $fault, $metadata: { httpStatusCode: status, ...$metadata } };
  const made: unknown = Reflect.construct(classIn(exports, code) ?? classIn(exports, otherErrors) ?? Error, [
    options,
  ]);
  if (!(made instanceof Error)) throw new Error(`${code} is not an error of the SDK`);
  return Object.assign(made, typed(details));
}

function classIn(
  exports: ReadonlyMap<string, unknown>,
  name: string,
): (new (...args: never) => unknown) | undefined {
  const found = exports.get(name);
  return typeof found === 'function' ? Object(found) : undefined;
}
