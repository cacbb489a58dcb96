import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { type Route, router } from '../../infra/gateway/routing.ts';
import { rateHeaders, type Throttling } from '../../infra/gateway/throttling.ts';
import { allowOrigin } from '../../shared/http/origin.ts';
import { plainPath } from '../../shared/http/paths.ts';
import type { ProblemName } from '../../shared/http/problem.ts';
import { type Admission, admissionFault, bodyOf, framingFault } from './admission.ts';
import { BadGateway, payloadBytes, type WireResponse, wireResponse } from './answer.ts';
import type { Authorization } from './authorizer.ts';
import { proxyEvent, type Stage } from './event.ts';
import { gatewayProblem, refusal } from './problem.ts';
import { type Patience, serverOf } from './server.ts';
import { throttle } from './throttle.ts';
import { unpackBody } from './unpack.ts';

export type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** The routes that the gateway serves, and the function of each resource. */
export interface Api {
  readonly routes: readonly Route[];
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly stage: Stage;
  /** The admitted origins and hosts; undefined: every page and every host name. */
  readonly admission?: Admission;
  /** The authorizer; undefined: no request needs credentials. */
  readonly authorize?: (event: APIGatewayProxyEvent) => Promise<Authorization>;
  /** The limits of requests; undefined: none. */
  readonly throttling?: Throttling;
  /** The clock for the time of requests, in ms since the epoch; undefined: the machine's clock. */
  readonly now?: () => number;
  /** True if functions get content as clients code it. */
  readonly passesCodings?: boolean;
}

/** Source: API Gateway quotas (payload, URL, headers, integration time-out); Lambda quotas (invocation payload). */
const MAXIMUM_BODY = 10 * 1024 * 1024;
const MAXIMUM_INVOCATION = 6 * 1024 * 1024;
const MAXIMUM_URL = 10_240;
const MAXIMUM_HEADERS = 10_240;
/** Bytes of the ARN of a method with authorization, and what precedes its path. Source: API Gateway quotas. */
const MAXIMUM_ARN = 1600;
const ARN = 'arn:aws:execute-api:eu-central-1:000000000000:abcdefghij';
const TIMEOUT_MS = 29_000;

/** Requests that run at one time. More would only wait for each other in this process. */
const MAXIMUM_RUNNING = 200;
/** It shows that the service runs, also under load. */
const HEALTH = '/health';

/** Returns an API Gateway REST API with Lambda proxy integrations, in this process. */
export function gateway(api: Api, patience?: Patience): Server {
  const match = router(api.routes);
  const admits = api.throttling ? throttle(api.throttling, api.now) : () => true;
  let running = 0;
  return serverOf(respond, patience);

  async function respond(incoming: IncomingMessage): Promise<WireResponse> {
    const requestId = randomUUID();
    const basePath = api.stage.inPath ? `/${api.stage.name}` : '';
    const { path, query } = target(incoming.method as string, incoming.url ?? '/');
    const place = {
      instance: path,
      requestId,
      basePath,
      // A request of HTTP/1.0 may have no Host.
      ...(incoming.headers.host === undefined ? {} : { origin: `http://${incoming.headers.host}` }),
      /** Only the gateway's own problems need it. */
      get sharedWith() {
        return allowOrigin(api.admission?.allowedOrigin ?? '*', incoming.headers.origin);
      },
    };
    const refuse = (name: ProblemName, detail: string) => gatewayProblem(name, detail, place);
    try {
      if ((incoming.url?.length ?? 0) > MAXIMUM_URL)
        return refuse('uri-too-long', `A URI has at most ${MAXIMUM_URL} characters. Shorten its query`);
      if (headerBytes(incoming) > MAXIMUM_HEADERS) {
        return refuse(
          'headers-too-large',
          `Header fields have at most ${MAXIMUM_HEADERS} bytes together. Send fewer or shorter ones`,
        );
      }
      // Source: RFC 9112 §3.2: a request target has no fragment.
      if (incoming.url?.includes('#'))
        return refuse(
          'malformed-request',
          'A request target has no fragment. Leave out # and what follows it',
        );
      // Source: API Gateway Developer Guide, "Known issues": | { } in a query are not supported unencoded.
      if (/[|{}]/.test(query))
        return refuse('malformed-request', 'The characters | { } must be percent-encoded in a query');
      if (path !== basePath && !path.startsWith(`${basePath}/`))
        return refuse('forbidden', `No stage of the API is at this path. Begin it with ${basePath}/`);
      const fault = framingFault(incoming) ?? (api.admission && admissionFault(incoming, api.admission));
      if (fault) return refuse(...fault);
      const sent = await bodyOf(incoming, MAXIMUM_BODY);
      if (!sent) return refusal('REQUEST_TOO_LARGE', place);
      const isCoded = incoming.headers['content-encoding'] !== undefined && !api.passesCodings;
      const body = isCoded ? await unpackBody(incoming, sent, MAXIMUM_BODY) : sent;
      if (typeof body === 'string') return refusal(body, place);
      const inner = path.slice(basePath.length) || '/';
      if (inner !== HEALTH && running >= MAXIMUM_RUNNING)
        return refuse('unavailable', 'Too many requests run at this time. Wait as long as Retry-After says');
      const matched = match(inner);
      const event = proxyEvent(incoming, { path: inner, query, body }, matched, {
        stage: api.stage,
        requestId,
        now: api.now?.() ?? Date.now(),
      });
      let usageKey: string | undefined;
      if (api.authorize && !matched.isOpen && event.httpMethod !== 'OPTIONS') {
        const arn = `${ARN}/${api.stage.name}/${event.httpMethod}${inner}`;
        if (Buffer.byteLength(arn) > MAXIMUM_ARN)
          return refuse(
            'uri-too-long',
            `The ARN of a method has at most ${MAXIMUM_ARN} bytes. Shorten the path`,
          );
        const decision = await api.authorize(event);
        if ('refusal' in decision) return refusal(decision.refusal, place, decision.context);
        Object.assign(event.requestContext, { authorizer: decision.context });
        usageKey = decision.usageKey;
      }
      if (api.throttling && !admits({ method: event.httpMethod, route: matched, usageKey }))
        return refusal('THROTTLED', place, undefined, rateHeaders(api.throttling));
      if (body.length > 1_000_000 && payloadBytes(event) > MAXIMUM_INVOCATION) {
        return refusal('REQUEST_TOO_LARGE', place);
      }
      running += 1;
      const result = await invoke(api.handlers.get(matched.resource), event).finally(() => {
        running -= 1;
      });
      return wireResponse(event.httpMethod, result);
    } catch (error) {
      if (error instanceof TimedOut) return refuse('timeout', 'The function did not answer in time');
      if (error instanceof BadGateway) return refuse('bad-gateway', error.message);
      // The client has closed the connection, so it needs no response.
      if (incoming.complete) console.error(requestId, error);
      return refuse('internal', `Tell the operators this number: ${requestId}`);
    }
  }
}

/**
 * Returns path and query of a request target in origin or absolute form. `*` and an authority mean the root. Source:
 * RFC 9112 §3.2.
 */
function target(method: string, url: string): { path: string; query: string } {
  if (url === '*' || (method === 'CONNECT' && !url.startsWith('/'))) return { path: '/', query: '' };
  const origin = url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/';
  const at = origin.indexOf('?');
  const path = at < 0 ? origin : origin.slice(0, at);
  const plain = plainPath(path);
  return { path: plain.startsWith('/') ? plain : `/${plain}`, query: at < 0 ? '' : origin.slice(at + 1) };
}

const headerBytes = ({ rawHeaders }: IncomingMessage) =>
  rawHeaders.reduce((sum, text) => sum + text.length, 0);

class TimedOut extends Error {}

async function invoke(
  handler: Handler | undefined,
  event: APIGatewayProxyEvent,
): Promise<APIGatewayProxyResult> {
  if (!handler) throw new BadGateway('No function serves this path');
  const deadline = Date.now() + TIMEOUT_MS;
  const context = {
    awsRequestId: event.requestContext.requestId,
    functionName: 'local',
    functionVersion: '$LATEST',
    memoryLimitInMB: '512',
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  } as Context;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimedOut()), TIMEOUT_MS);
  });
  try {
    return await Promise.race([handler(event, context), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
