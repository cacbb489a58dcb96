import { expect, test } from '@jest/globals';
import { environment } from '../../tools/real-engines/environment.ts';
import { OptionError, readOptions, USAGE } from '../../tools/real-engines/options.ts';

test('options precede the command, which gets its own options unchanged', () => {
  expect(readOptions(['npm', 'test', '--', '--only', 'x'])).toEqual({
    only: ['dynamodb', 's3', 'sqs'],
    s3: 'versitygw',
    command: ['npm', 'test', '--', '--only', 'x'],
  });
  expect(readOptions(['--only', 'sqs,s3', '--s3', 'minio', 'env'])).toEqual({
    only: ['sqs', 's3'],
    s3: 'minio',
    command: ['env'],
  });
});

test.each([[[]], [['--only', 's3']], [['--help']]])('%j gets the usage', (args: string[]) => {
  expect(() => readOptions(args)).toThrow(new OptionError(USAGE));
});

test.each([
  ['--only', 'dynamo'],
  ['--only', ''],
  ['--s3', 'other'],
])('the command refuses %s %p', (option, value) => {
  expect(() => readOptions([option, value, 'true'])).toThrow(OptionError);
});

test('only real engines have an address', () => {
  const ports = new Map([['s3' as const, 9000]]);
  const options = readOptions(['--only', 's3', 'true']);
  const env = environment({ ports, options, rulesUrl: 'http://127.0.0.1:9001', data: '/data' });
  expect(env).toMatchObject({
    AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9000',
    S3_RULES_URL: 'http://127.0.0.1:9001',
    REAL_ENGINES: 'versitygw',
  });
  expect(env.AWS_ENDPOINT_URL_SQS).toBe(process.env.AWS_ENDPOINT_URL_SQS);
});
