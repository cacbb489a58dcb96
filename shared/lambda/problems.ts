import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { faultOf, log } from '../aws/log.ts';
import { problemResponse } from '../flow/response/problem.ts';
import { problem } from '../http/problem.ts';
import { toRequest } from './event.ts';
import { toResult } from './result.ts';

/** Handles defects: the log gets the error, the client gets only the id of the request. */
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
