import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { answer } from '../flow/answer.ts';
import type { Resource } from '../resource/resource.ts';
import { cors } from './cors.ts';
import { toRequest } from './event.ts';
import { problems } from './problems.ts';
import { toResult } from './result.ts';

/** The Lambda handler of a resource: what is about the invocation around the flow that knows HTTP. */
export const serve = (resource: Resource) =>
  middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
    .use(cors())
    .use(problems())
    .handler(async (event) => toResult(await answer(resource, toRequest(event))));
