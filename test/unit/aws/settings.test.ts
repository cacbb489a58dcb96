import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { configureClock } from '../../../shared/aws/clock.ts';
import { settingsOf } from '../../../shared/aws/settings.ts';

/** Secrets Manager: its secrets by their names, and the names that were read. */
const secrets = new Map<string, string>();
let read: string[] = [];
let isDown = false;
const server = createServer(async (request, response) => {
  const { SecretId } = (await json(request)) as { SecretId: string };
  read.push(SecretId);
  const value = secrets.get(SecretId);
  const answer = value === undefined ? { __type: 'ResourceNotFoundException' } : { SecretString: value };
  response.writeHead(isDown ? 403 : value === undefined ? 400 : 200);
  response.end(JSON.stringify(isDown ? { __type: 'AccessDeniedException' } : answer));
});

const before = { ...process.env };
let now = 0;

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    SERVICE: 'shop',
  });
  configureClock(() => now);
});
afterAll(() => {
  process.env = before;
  configureClock(Date.now);
  server.close();
});
beforeEach(() => {
  read = [];
  now += 3_600_000;
});

const { secret, variable } = settingsOf({ variables: ['MAIL_FROM'], secrets: ['MAIL_KEY'] });

// Specification 19.3
test('a function reads a secret once in five minutes, and then notices its rotation', async () => {
  secrets.set('shop/MAIL_KEY', 'old');
  expect(await Promise.all([secret('MAIL_KEY'), secret('MAIL_KEY')])).toEqual(['old', 'old']);
  secrets.set('shop/MAIL_KEY', 'new');
  now += 299_999;
  expect(await secret('MAIL_KEY')).toBe('old');
  expect(read).toEqual(['shop/MAIL_KEY']);
  now += 1;
  expect(await secret('MAIL_KEY')).toBe('new');
});

test('a missing secret throws with its name, and its first value counts at once', async () => {
  secrets.clear();
  await expect(secret('MAIL_KEY')).rejects.toThrow('The secret MAIL_KEY is missing');
  secrets.set('shop/MAIL_KEY', 'first');
  expect(await secret('MAIL_KEY')).toBe('first');
});

test('a failure of Secrets Manager is not kept', async () => {
  isDown = true;
  await expect(secret('MAIL_KEY')).rejects.toThrow();
  isDown = false;
  expect(await secret('MAIL_KEY')).toBe('first');
});

test('code reads only what needs names', async () => {
  await expect(secret('OTHER')).rejects.toThrow('The code reads OTHER: add it to needs.secrets');
  expect(() => variable('OTHER')).toThrow('The code reads OTHER: add it to needs.variables');
  expect(() => variable('MAIL_FROM')).toThrow('The variable MAIL_FROM is missing');
  expect(read).toEqual([]);
});
