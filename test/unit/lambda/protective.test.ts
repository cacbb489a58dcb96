import { expect, test } from '@jest/globals';
import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { everyAnswer } from '../../../shared/lambda/finish.ts';

/** The header fields of the response to a request with these fields. */
async function answered(
  multiValueHeaders: Record<string, string[]>,
): Promise<APIGatewayProxyResult['headers']> {
  const handler = middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
    .use(everyAnswer({ name: 'books' }))
    .handler(async () => ({ statusCode: 200, headers: { ETag: '"x"' }, body: '' }));
  const event = { multiValueHeaders } as APIGatewayProxyEvent;
  return (await handler(event, { getRemainingTimeInMillis: () => 1000 } as Context)).headers;
}

test('the response demands TLS from browsers if the request used it', async () => {
  expect(await answered({ 'X-Forwarded-Proto': ['https'] })).toEqual({
    ETag: '"x"',
    'Access-Control-Allow-Origin': '*',
    Vary: 'Origin',
    'X-Content-Type-Options': 'nosniff',
    'Strict-Transport-Security': 'max-age=63072000',
  });
  for (const headers of [{ 'X-Forwarded-Proto': ['http'] }, {}])
    expect(await answered(headers as Record<string, string[]>)).not.toHaveProperty(
      'Strict-Transport-Security',
    );
});
