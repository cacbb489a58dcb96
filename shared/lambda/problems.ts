import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { faultOf, log } from '../aws/log.ts';
import { problemResponse } from '../flow/response/problem.ts';
import { problem } from '../http/problem.ts';
import { toRequest } from './event.ts';
import { toResult } from './result.ts';

/** The last resort: a defect is told to the log, never to the client, who gets the request's id to ask about. */
export const problems = (): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => ({
  onError: async (invocation) => {
    const { error, event } = invocation;
    const request = toRequest(event);
    log('error', { requestId: request.requestId, template: request.template, ...faultOf(error) });
    invocation.response = toResult(
      await problemResponse(
        problem('internal', `Tell the operators this number: ${request.requestId}`),
        request,
      ),
    );
  },
});
