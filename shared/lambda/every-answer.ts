import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

type Headers = NonNullable<APIGatewayProxyResult['headers']>;
type Invocation = { event: APIGatewayProxyEvent; response?: APIGatewayProxyResult | null };

/** Middleware that adds header fields to every response, also to errors. */
export function everyAnswer(
  add: (headers: Headers, event: APIGatewayProxyEvent) => void,
): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  const apply = ({ event, response }: Invocation) => {
    if (response?.headers) add(response.headers, event);
  };
  return { after: apply, onError: apply };
}

/** The last value of a request's header field. `name` in lower case; undefined if the field is absent. */
export function headerOf({ multiValueHeaders }: APIGatewayProxyEvent, name: string): string | undefined {
  for (const one in multiValueHeaders) if (one.toLowerCase() === name) return multiValueHeaders[one]?.at(-1);
  return undefined;
}
