import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as dynamodbstreams from '@aws-sdk/client-dynamodb-streams';
import * as events from '@aws-sdk/client-eventbridge';
import * as lambda from '@aws-sdk/client-lambda';
import * as sqs from '@aws-sdk/client-sqs';
import { expect, test } from '@jest/globals';
import { OPTIONS } from '../../infra/options.ts';
import { OPERATORS_PAGES } from '../../service/folders.ts';
import { awsCallsIn, commandsIn } from '../support/runbook/commands.ts';
import { DRILL, NOT_RUN, SCENES } from '../support/runbook/scenes.ts';

const root = join(import.meta.dirname, '../..');
const commands = [...OPERATORS_PAGES, 'deploy'].flatMap((page) =>
  commandsIn(readFileSync(join(root, `docs/${page}.md`), 'utf8')),
);
const texts = commands.map(({ text }) => text);
const isLeftOut = (text: string) => NOT_RUN.some(([pattern]) => pattern.test(text));

test('every command of the runbook has a scene of lab/rehearsal, or a reason why it runs nowhere', () => {
  const isRun = (section: string) => section === DRILL || section in SCENES;
  expect(commands.filter(({ section, text }) => !isLeftOut(text) && !isRun(section))).toEqual([]);
  expect(texts.length).toBeGreaterThan(80);
});

test('every scene and every reason has a command', () => {
  const run = commands.filter(({ text }) => !isLeftOut(text)).map(({ section }) => section);
  expect(Object.keys(SCENES).filter((section) => !run.includes(section))).toEqual([]);
  expect(NOT_RUN.filter(([pattern]) => !texts.some((text) => pattern.test(text)))).toEqual([]);
});

const usageOf = (program: string) => {
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, program)], { encoding: 'utf8' });
  return stdout + stderr;
};
const USAGES = {
  data: usageOf('tools/data/main.ts'),
  backfill: usageOf('tools/backfill/main.ts'),
  tool: usageOf('tools/main.ts'),
};

/** `npm run data -- export backup --environment worker.json` as its script, subcommand and options. */
const calls = texts.flatMap((text) =>
  [...text.matchAll(/npm run (data|backfill|tool) -- (\S+)(.*)/g)].map(
    ([, script, name = '', rest = '']) => ({
      usage: USAGES[script as keyof typeof USAGES],
      name: script === 'backfill' ? 'backfill' : name,
      options: rest.match(/ --[a-z]+/g) ?? [],
    }),
  ),
);

test('the commands of this project know their subcommands and options', () => {
  const unknown = calls.filter(
    ({ usage, name, options }) =>
      !new RegExp(`\\b${name} `).test(usage) || options.some((option) => !usage.includes(`${option} `)),
  );
  expect(unknown).toEqual([]);
  expect(calls.length).toBeGreaterThan(8);
});

test('cdk deploys and destroys all stacks or a named one, with known options', () => {
  const used = texts.filter((text) => /^npx cdk /.test(text));
  const unnamed = used.filter((text) => /^npx cdk (?:deploy|destroy) (?!--all |resource-api)/.test(text));
  // With `edge` there are several stacks, and the CLI refuses to choose.
  expect(unnamed).toEqual([]);
  const options = used.flatMap((text) => [...text.matchAll(/ -c (\w+)=/g)].map(([, name = '']) => name));
  expect(options.filter((name) => !(name in OPTIONS))).toEqual([]);
});

/** A structure of the schemas of the SDK: its members are at the fifth place. */
type Structure = readonly [...unknown[], members: readonly string[]];
type Command = new (input: object) => { readonly schema?: readonly unknown[] };

const CLIENTS: Readonly<Record<string, object>> = { dynamodb, dynamodbstreams, events, lambda, sqs };
/** Options of every command of the AWS CLI. */
const COMMON = ['output', 'query', 'region'];

/** The members of the input of an operation; undefined for an unknown operation. */
function inputOf(service: string, operation: string): readonly string[] | undefined {
  const name = operation.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const [, command] = Object.entries(CLIENTS[service] ?? {}).find(([key]) => key === `${name}Command`) ?? [];
  const schema = command && new (command as Command)({}).schema;
  const structure = schema && (schema[4] as () => Structure)();
  return structure?.[4] as readonly string[] | undefined;
}

// lab/rehearsal checks the commands for all services with the AWS CLI.
test('the AWS SDK knows the operations and parameters of the commands', () => {
  const known = texts.flatMap(awsCallsIn).filter(({ service }) => service in CLIENTS);
  const unknown = known.filter(({ service, operation, options }) => {
    const members = inputOf(service, operation)?.map((name) => name.toLowerCase());
    return !options
      .filter((name) => !COMMON.includes(name) && !name.startsWith('cli-'))
      .every((name) => members?.includes(name.replace(/^no-/, '').replaceAll('-', '')));
  });
  expect(unknown).toEqual([]);
  expect(known.length).toBeGreaterThan(25);
});
