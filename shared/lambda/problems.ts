import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { faultOf, log } from '../aws/log.ts';
import { problemResponse } from '../flow/response/problem.ts';
import { problem } from '../http/problem.ts';
import { toRequest } from './event.ts';
import { toResult } from './finish.ts';

/** The function has no time left for the request. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/**
 * Handles defects: the log gets the error, the client gets only the id of the request. If the time of the function
 * ended, the client gets 504 and can send the request again.
 */
export const problems = (): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => ({
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
