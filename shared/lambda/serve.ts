import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { HAS_PAGES } from '#about';
import { config, type GatewaySettings } from '../aws/config.ts';
import { faultOf, log } from '../aws/log.ts';
import { answer } from '../flow/answer.ts';
import type { Request } from '../http/request.ts';
import type { Resource } from '../resource/resource.ts';
import { toRequest } from './event.ts';
import { everyAnswer, withinLimits } from './finish.ts';
import { observe } from './logs/observe.ts';
import { OutOfTime, problems } from './problems.ts';

/** The function responds this long before its time-out, in ms. */
const RESERVE_MS = 100;

/** True if the response may be a page for a person. The first one loads what browsers need. */
const isForBrowser = ({ headers: { accept = '' } }: Request): boolean =>
  HAS_PAGES && /text\/html/i.test(accept);

/** The Lambda handler of a resource: it adds everything about the invocation to the flow. */
export function serve(resource: Resource) {
  // One gateway calls a handler, and its settings take a tenth of the time of a GET to read.
  let gateway: GatewaySettings | undefined;
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
        const request = toRequest(event, gateway);
        const response = await (isForBrowser(request)
          ? import('#browser').then(({ answerBrowser }) => answerBrowser(resource, request))
          : answer(resource, request));
        const { requestId, template } = request;
        if (response.fault) log('warn', { requestId, template, ...faultOf(response.fault) });
        return withinLimits(response, request);
      }),
  );
}
