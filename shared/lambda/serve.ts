import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { HAS_PAGES } from '#about';
import { faultOf, log } from '../aws/log.ts';
import { answer } from '../flow/answer.ts';
import type { Request } from '../http/request.ts';
import type { Resource } from '../resource/resource.ts';
import { toRequest } from './event.ts';
import { everyAnswer } from './every-answer.ts';
import { observe } from './logs/observe.ts';
import { OutOfTime, problems } from './problems.ts';
import { withinLimits } from './within-limits.ts';

/** The function responds this long before its time-out, in ms. */
const RESERVE_MS = 100;

/** True if the response may be a page for a person. The first one loads what browsers need. */
const isForBrowser = ({ headers: { accept = '' } }: Request): boolean =>
  HAS_PAGES && /text\/html/i.test(accept);

/** The Lambda handler of a resource: it adds everything about the invocation to the flow. */
export const serve = (resource: Resource) =>
  observe(
    resource,
    middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
      timeoutEarlyInMillis: RESERVE_MS,
      timeoutEarlyResponse: () => {
        throw new OutOfTime();
      },
    })
      .use(everyAnswer(resource.lifecycle))
      .use(problems())
      .handler(async (event) => {
        const request = toRequest(event);
        const response = await (isForBrowser(request)
          ? import('#browser').then(({ answerBrowser }) => answerBrowser(resource, request))
          : answer(resource, request));
        const { requestId, template } = request;
        if (response.fault) log('warn', { requestId, template, ...faultOf(response.fault) });
        return withinLimits(response, request);
      }),
  );
