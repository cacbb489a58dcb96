import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { UserError } from '../../tools/user-error.ts';
import { environment } from '../real-engines/environment.ts';
import { readOptions, USAGE } from '../real-engines/options.ts';
import { CREDENTIALS } from '../real-engines/place.ts';

test('options precede the command, which gets its own options unchanged', () => {
  expect(readOptions(['npm', 'test', '--', '--only', 'x'])).toEqual({
    only: ['dynamodb', 's3', 'sqs'],
    command: ['npm', 'test', '--', '--only', 'x'],
  });
  expect(readOptions(['--only', 'sqs,s3', 'env'])).toEqual({
    only: ['s3', 'sqs'],
    command: ['env'],
  });
});

test.each([[[]], [['--only', 's3']], [['--help']]])('%j gets the usage', (args: string[]) => {
  expect(() => readOptions(args)).toThrow(new UserError(USAGE));
});

test.each([
  ['--only', 'dynamo'],
  ['--only', ''],
  ['--only', 's3,s3'],
])('the command refuses %s %p', (option, value) => {
  expect(() => readOptions([option, value, 'true'])).toThrow(UserError);
});

test('only real engines have an address, and the command has data and credentials of its own', () => {
  const before = { ...process.env };
  Object.assign(process.env, { AWS_PROFILE: 'work', AWS_SESSION_TOKEN: 'token', DATA_DIR: '/mine' });
  const ports = new Map([['s3' as const, 9000]]);
  const env = environment({ ports, rulesUrl: 'http://127.0.0.1:9001', data: '/data' });
  process.env = before;
  expect(env).toMatchObject({
    AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9000',
    S3_RULES_URL: 'http://127.0.0.1:9001',
    REAL_ENGINES: 'versitygw',
    DATA_DIR: join('/data', 'service'),
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  });
  for (const name of ['AWS_PROFILE', 'AWS_SESSION_TOKEN']) expect(env).not.toHaveProperty(name);
  expect(env.AWS_ENDPOINT_URL_SQS).toBe(process.env.AWS_ENDPOINT_URL_SQS);
});
