import { afterEach, expect, test } from '@jest/globals';
import { configureLog } from '../../../shared/aws/log.ts';
import type { Request } from '../../../shared/http/request.ts';
import type { Response } from '../../../shared/http/response.ts';
import { withinLimits } from '../../../shared/lambda/finish.ts';
import { collectLog } from '../../engines/collected-log.ts';

const request = (method: string) =>
  ({
    method,
    path: '/members',
    basePath: '',
    headers: {},
    requestId: 'r',
    template: '/members',
  }) as unknown as Request;
const LARGE = '"'.repeat(7_000_000);
const json = { 'Content-Type': 'application/json' };

afterEach(() => {
  configureLog();
});

const sent = async (response: Response, method = 'GET') => {
  const { statusCode, headers = {}, body } = await withinLimits(response, request(method));
  return { status: statusCode, headers, body };
};

test('carries a response that fits as it is', async () => {
  expect(await sent({ status: 200, headers: { ...json, Link: '</>; rel="self"' }, body: '{}' })).toEqual({
    status: 200,
    headers: { ...json, Link: '</>; rel="self"' },
    body: '{}',
  });
});

test('answers 500 and logs an error when a representation is too large', async () => {
  const lines = collectLog();
  const { status, headers, body } = await sent({ status: 200, headers: json, body: LARGE });
  expect({ status, type: headers['Content-Type'] }).toEqual({
    status: 500,
    type: 'application/problem+json',
  });
  expect(JSON.parse(body)).toMatchObject({ status: 500, requestId: 'r' });
  expect(lines).toHaveLength(1);
});

test.each([400, 409, 412, 413, 422])(
  'keeps the status of a refusal that is too large: %i',
  async (status) => {
    const answer = await sent({ status, headers: json, body: LARGE }, 'POST');
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ status, type: expect.stringMatching(/^\/problems\//) });
  },
);

test('keeps status and Location of a write whose representation is too large', async () => {
  const headers = { ...json, Location: '/members/1' };
  expect(await sent({ status: 201, headers, body: LARGE }, 'POST')).toEqual({
    status: 201,
    headers: { Location: '/members/1' },
    body: '',
  });
});

test('leaves out links that are too large for the header', async () => {
  const Link = `</${'x'.repeat(9000)}>; rel="next"`;
  expect(await sent({ status: 200, headers: { ...json, Link }, body: '{}' })).toEqual({
    status: 200,
    headers: json,
    body: '{}',
  });
});

test('answers 500 when other header fields are too large', async () => {
  collectLog();
  const { status } = await sent({
    status: 200,
    headers: { 'Content-Type': `a/${'b'.repeat(20_000)}` },
    body: '',
  });
  expect(status).toBe(500);
});

test('counts escapes of text that is not sent as base64', async () => {
  const { body } = await sent({ status: 200, headers: json, body: '\u0001'.repeat(999_999) });
  expect(body).toHaveLength(999_999);
});
