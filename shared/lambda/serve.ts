import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { HAS_PAGES } from '#about';
import { config, type GatewaySettings } from '../aws/config.ts';
import { faultOf, log } from '../aws/log.ts';
import { answer } from '../flow/answer.ts';
import { problemResponse } from '../flow/response/problem.ts';
import { problem } from '../http/problem.ts';
import type { Request } from '../http/request.ts';
import type { Resource } from '../resource/resource.ts';
import { atItem, binaryPathsOf, withContentLocation } from './binary-path.ts';
import { toRequest } from './event.ts';
import { everyAnswer, toResult, withinLimits } from './finish.ts';
import { observe } from './logs/observe.ts';

/** The function responds this long before its time-out, in ms. */
const RESERVE_MS = 100;

/** The function has no time left for the request. */
class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/** True if the response may be a page for a person. The first one loads what browsers need. */
const isForBrowser = ({ headers: { accept = '' } }: Request): boolean =>
  HAS_PAGES && /text\/html/i.test(accept);

/** Returns the Lambda handler of a resource: it adds everything about the invocation to the flow. */
export function serve(resource: Resource) {
  // One gateway calls a handler, and its settings take a tenth of the time of a GET to read.
  let gateway: GatewaySettings | undefined;
  const binaryPaths = binaryPathsOf(resource);
  return observe(
    resource,
    middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
      timeoutEarlyInMillis: RESERVE_MS,
      timeoutEarlyResponse: () => {
        throw new OutOfTime();
      },
    })
      .use(everyAnswer(resource))
      .use(problems())
      .handler(async (event) => {
        gateway ??= config.gateway();
        const received = toRequest(event, gateway);
        const binary = binaryPaths.get(received.template);
        const request = binary ? atItem(received, binary) : received;
        const response = await (isForBrowser(request)
          ? import('#browser').then(({ answerBrowser }) => answerBrowser(resource, request))
          : answer(resource, request));
        const { requestId, template } = request;
        if (response.fault) log('warn', { requestId, template, ...faultOf(response.fault) });
        return withinLimits(binary ? withContentLocation(response, request, binary) : response, request);
      }),
  );
}

/**
 * Handles defects: the log gets the error, the client gets only the id of the request. If the time of the function
 * ended, the client gets 504 and can send the request again.
 */
const problems = (): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => ({
  onError: async (invocation) => {
    const { error, event } = invocation;
    const request = toRequest(event);
    log('error', { requestId: request.requestId, template: request.template, ...faultOf(error) });
    const found =
      error instanceof OutOfTime
        ? problem('timeout', 'The service did not finish in time: send the request again', {
            headers: { 'Retry-After': '1' },
          })
        : problem('internal', `Tell the operators this number: ${request.requestId}`);
    invocation.response = toResult(await problemResponse(found, request));
  },
});
