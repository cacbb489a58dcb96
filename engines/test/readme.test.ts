import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { command } from '../../test/support/service/command.ts';

const README = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
const DOOR = pathToFileURL(join(import.meta.dirname, '../index.ts')).href;

test('the example of the README runs', async () => {
  const [, example = ''] = /```ts\n(.*?)```/s.exec(README) ?? [];
  const call = `const { DescribeTableCommand } = await import('@aws-sdk/client-dynamodb');
    await dynamodb.send(new DescribeTableCommand({ TableName: 'none' })).catch(({ name }) => console.log(name));`;
  expect(example).toContain('// … ');
  const directory = await mkdtemp(join(tmpdir(), 'embedded-'));
  try {
    const code = example
      .replace('// … CreateTableCommand, PutItemCommand, …', call)
      .replace("'embedded-aws'", JSON.stringify(DOOR))
      .replace("'.data'", JSON.stringify(directory));
    const args = ['--input-type=module', '--eval', code];
    const ended = await command(process.execPath, args, { limitMs: 20_000 });
    expect(ended).toMatchObject({ code: 0, log: 'ResourceNotFoundException\n' });
  } finally {
    await rm(directory, { recursive: true });
  }
});
