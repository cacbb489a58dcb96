/** Deploys the environment `development` to MiniStack, and checks what moto does not run: what leads from one service to another. */

import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientOf } from '../../../test/support/client/client.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { command } from '../../../test/support/service/command.ts';
import type { Check } from '../../checks.ts';
import { cdk, synthesize } from '../cdk.ts';
import { ACCOUNT, REGION } from '../emulated.ts';
import { adapt, LACKS } from '../ministack/lacks.ts';
import { expectStatus, type Wired, wired } from '../ministack/service.ts';
import { type MiniStack, startMiniStack } from '../ministack/start.ts';

const ROOT = join(import.meta.dirname, '../../..');
const STACK = 'resource-api-development';
const DEPLOY = ['deploy', '--method=direct', '--require-approval', 'never'];
/** Milliseconds between two looks, and until the effect of a change must be there. */
const [EVERY, LIMIT] = [250, 20_000];
/** MiniStack runs the sweeper at each full minute. */
const MINUTE = 80_000;

const soon = <Result>(check: () => Promise<Result>): Promise<Result> => eventually(check, EVERY, LIMIT);

/** Deploys the stack, and follows requests through its services. */
export async function wiring(check: Check, folder: string): Promise<void> {
  const { directory } = await synthesize(
    join(folder, 'development'),
    { env: 'development' },
    // The part `templates` checks CloudFormation's rules.
    { environment: { ...process.env, CDK_VALIDATION: 'false' } },
  );
  const ministack = await startMiniStack(join(folder, 'ministack'));
  try {
    const { environment, url } = ministack;
    adapt(directory, url);
    for (const { part, reason } of LACKS) console.log(`    ${part}: ${reason}`);
    const run = async (...args: string[]) => {
      const { code, log } = await cdk([...args, '--app', directory], { environment });
      equal(code, 0, `It ended with ${code}\n${log.slice(-4000)}`);
    };
    await check('cdk bootstrap', () => run('bootstrap', `aws://${ACCOUNT}/${REGION}`));
    await check('cdk deploy', () => run(...DEPLOY));
    await follow(check, ministack, await wired(ministack, STACK), folder);
  } finally {
    await ministack.stop();
  }
}

async function follow(check: Check, ministack: MiniStack, service: Wired, folder: string): Promise<void> {
  const { send } = service;
  const made = async (path: string, json: object) =>
    expectStatus(await send('POST', path, { json }), 201).json();
  const listed = async (path: string) => expectStatus(await send('GET', path), 200).json().items;

  await check('API Gateway asks the authorizer, which refuses a request without a token', async () => {
    expectStatus(await send('GET', '/members', { headers: { Authorization: undefined } }), 401);
    expectStatus(await send('GET', '/health', { headers: { Authorization: undefined } }), 200);
  });
  await check('an order by HTTP', async () => {
    const { id: customerId } = await made('/customers', { name: 'Acme' });
    const { id: productId } = await made('/products', {
      name: 'Bell',
      category: 'tools',
      price: 9.5,
      sku: 'b1',
    });
    const { orderId } = await made('/orders', { customerId, productId, quantity: 2, orderValue: 19.5 });
    equal(expectStatus(await send('GET', `/orders/${orderId}`), 200).json().quantity, 2);
  });
  await check('a POST in the background: the worker leads to its result', async () => {
    const headers = { Prefer: 'respond-async' };
    const accepted = await send('POST', '/members', { json: { username: 'joan' }, headers });
    const { location = '' } = expectStatus(accepted, 202).headers;
    const ended = await soon(async () => expectStatus(await send('GET', location), 303));
    equal(expectStatus(await send('GET', ended.headers.location ?? ''), 200).json().username, 'joan');
  });
  await check('a file by a presigned upload is in the list', async () => {
    const body = 'hello\n';
    const manifest = { filename: 'note.txt', size: body.length, contentType: 'text/plain' };
    const accepted = expectStatus(await send('POST', '/files', { json: manifest }), 202);
    const { uploads }: { uploads: readonly { href: string; headers: Record<string, string> }[] } = JSON.parse(
      accepted.text,
    );
    const [{ href, headers } = { href: '', headers: {} }] = uploads;
    const { origin, pathname, search } = new URL(href);
    expectStatus(await clientOf(origin)('PUT', pathname + search, { body, headers }), 200);
    await soon(async () =>
      deepStrictEqual(
        (await listed('/files')).map(({ filename }) => filename),
        ['note.txt'],
      ),
    );
    equal(expectStatus(await send('GET', '/files/note.txt', { headers: { Accept: '*/*' } }), 200).text, body);
  });
  const { id } = await made('/members', { username: 'ada' });
  await check('a PATCH makes versions 2 and 1', async () => {
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    expectStatus(await send('PATCH', `/members/${id}`, { json: { name: 'Ada Byron' }, headers }), 200);
    await soon(async () =>
      deepStrictEqual(
        (await listed(`/members/${id}/versions`)).map(({ version }) => version),
        [2, 1],
      ),
    );
  });
  await check('a removal is in /changes, after the creation and the change', async () => {
    expectStatus(await send('DELETE', `/members/${id}`), 204);
    await soon(async () => {
      const changes = await listed('/changes?type=member.*');
      const types = changes.filter(({ subject }) => subject === `/members/${id}`).map(({ type }) => type);
      deepStrictEqual(types, ['member.created', 'member.changed', 'member.removed']);
    });
  });
  await check(
    'a subscription gets an event: fan-out and webhooks try a receiver that no name server knows',
    async () => {
      const subscription = await made('/subscriptions', {
        url: 'https://receiver.invalid/',
        types: ['customer.*'],
      });
      const { id: customer } = await made('/customers', { name: 'Byron' });
      await soon(async () => {
        const [attempt] = await listed(`/subscriptions/${subscription.id}/deliveries`);
        deepStrictEqual([attempt?.subject, attempt?.outcome], [`/customers/${customer}`, 'failed']);
      });
      expectStatus(await send('DELETE', `/subscriptions/${subscription.id}`), 204);
    },
  );
  await recover(check, ministack, service, folder);
  await check('the schedule runs the sweeper', () =>
    eventually(
      async () => ok((await service.log('sweeper')).some((line) => line.includes('"failed":false'))),
      1000,
      MINUTE,
    ),
  );
  await check('no function has logged another error than that stop', async () => {
    const logs = await Promise.all(FUNCTIONS.map((word) => service.log(word)));
    const errors = logs.flat().filter((line) => line.includes('"level":"error"'));
    deepStrictEqual(
      errors.filter((line) => !line.includes('"event":"comparison-stopped"')),
      [],
    );
  });
}

/** The ends of the names of functions that the checks have run. */
const FUNCTIONS = [
  'authorizer',
  'customers',
  'members',
  'files',
  'worker',
  'uploads',
  'events',
  'fanout',
  'webhooks',
  'sweeper',
];

/** Lets the worker use another bucket, as an operator does in docs/operations.md, and sees whether the comparison stops. */
async function recover(check: Check, ministack: MiniStack, service: Wired, folder: string): Promise<void> {
  const { aws, environment } = ministack;
  const { outputs, send, log } = service;
  const file = join(folder, 'worker.json');
  const worker = ['--function-name', outputs.Worker ?? ''];
  const other = 'another-bucket';
  /** Compares files with their list, and returns the next line of the worker about it. */
  const compared = async (): Promise<string> => {
    const lines = async () =>
      (await log('worker')).filter((line) => /"compar(?:ed|ison-stopped)"/.test(line));
    const before = (await lines()).length;
    await aws(
      'sqs',
      'send-message',
      '--queue-url',
      outputs.OperationsQueue ?? '',
      '--message-body',
      '{"compare":{"of":"files"}}',
    );
    return soon(async () => {
      const line = (await lines())[before];
      ok(line, 'the worker has not compared');
      return line;
    });
  };
  const names = async () => JSON.parse((await send('GET', '/files')).text).items.length;
  const variables = await aws<Record<string, string>>(
    ...['lambda', 'get-function-configuration', ...worker, '--query', 'Environment.Variables'],
  );
  writeFileSync(file, JSON.stringify(variables));

  await check(
    'the comparison of files with their list notes that bucket and table belong together',
    async () => {
      ok((await compared()).includes('"isComplete":true'));
      await aws('s3api', 'head-object', '--bucket', variables.BUCKET ?? '', '--key', 'identity');
    },
  );
  await check('another bucket gets what the stack gives to its own one', async () => {
    await aws('s3api', 'create-bucket', '--bucket', other);
    const args = ['tools/data/main.ts', 'bucket', other, '--set', '--environment', file];
    const { code, log: printed } = await command(process.execPath, args, { cwd: ROOT, env: environment });
    equal(code, 0, printed);
    ok(printed.includes(`adoptedBucket=${other}`), printed);
  });
  await check(
    'with a bucket that does not know the table, the comparison stops and removes nothing',
    async () => {
      const Variables = { ...variables, BUCKET: other };
      await aws(
        'lambda',
        'update-function-configuration',
        ...worker,
        '--environment',
        JSON.stringify({ Variables }),
      );
      const line = await compared();
      ok(line.includes('comparison-stopped'), line);
      equal(await names(), 1);
    },
  );
  await check('with a copy of all objects, the comparison goes on', async () => {
    await aws('s3', 'sync', '--only-show-errors', `s3://${variables.BUCKET}`, `s3://${other}`);
    const line = await compared();
    ok(line.includes('"isComplete":true'), line);
    equal(await names(), 1);
  });
}
