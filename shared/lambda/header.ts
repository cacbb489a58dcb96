import type { APIGatewayProxyEvent } from 'aws-lambda';

/** The last value of a request's header field. `name` in lower case; undefined if there is none. */
export function headerOf({ multiValueHeaders }: APIGatewayProxyEvent, name: string): string | undefined {
  const [, values] =
    Object.entries(multiValueHeaders ?? {}).find(([one]) => one.toLowerCase() === name) ?? [];
  return values?.at(-1);
}
