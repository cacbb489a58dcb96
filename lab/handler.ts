import type { APIGatewayProxyEvent } from 'aws-lambda';
import { serve } from '../shared/lambda/serve.ts';
import type { Resource } from '../shared/resource/resource.ts';
import { CONTEXT } from './events.ts';

/** A function that runs in this process. */
export type Handler = (
  event: APIGatewayProxyEvent,
  context?: unknown,
) => Promise<{ statusCode: number; headers: Record<string, string>; body: string }>;

/** The function of a resource, with a context that does not change. */
export function handlerOf(resource: Resource): Handler {
  const handler = serve(resource) as Handler;
  return (event) => handler(event, CONTEXT);
}
