import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { registry } from '../../functions/registry.ts';
import { type Engines, openEngines } from '../../infra/local/engines/engines.ts';
import { inProcess } from '../../infra/local/engines/in-process.ts';
import { names, provision } from '../../infra/local/provision.ts';
import { attach } from '../../shared/aws/clients.ts';
import { tableVariable } from '../../shared/aws/config.ts';
import type { Item } from '../../shared/resource/item.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { Items } from '../../shared/store/items.ts';
import { Pages } from '../../shared/store/pages.ts';

/** The next write reaches the engine, but its answer is lost on the way: the client sends it again. */
let losing = false;

describe('a write whose answer was lost', () => {
  const directory = mkdtempSync(join(tmpdir(), 'resource-api-lost-'));
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' };
  const members = registry.find(({ name }) => name === 'members') as Resource;
  const items = new Items(members);
  let engines: Engines;

  beforeAll(async () => {
    engines = openEngines({ directory, credentials });
    const whole = inProcess(engines);
    const handle: typeof whole.handle = async (...call) => {
      const answer = await whole.handle(...call);
      if (!losing) return answer;
      losing = false;
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', name: 'TimeoutError' });
    };
    const settings = { requestHandler: { ...whole, handle }, credentials, region: 'us-east-1' };
    attach(settings as Parameters<typeof attach>[0]);
    for (const { name, table } of registry) if (table) process.env[tableVariable(name)] = names.table(name);
    process.env.BUCKET = names.bucket;
    await provision(
      registry,
      new SQSClient(settings as NonNullable<ConstructorParameters<typeof SQSClient>[0]>),
    );
  });
  afterAll(async () => {
    await engines.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const made = (id: number): Item => ({
    id,
    version: 1,
    createdAt: 1,
    updatedAt: 1,
    values: { name: 'a' },
    internal: {},
  });

  test('creating makes one item', async () => {
    losing = true;
    expect(await items.insert(made(7))).toBe('kept');
    expect(losing).toBe(false);
    const page = await new Pages(members).list({ limit: 10, offset: 0, sort: 'id', descending: false });
    expect(
      typeof page === 'object' && 'items' in page && page.items.map((item) => 'id' in item && item.id),
    ).toEqual([7]);
    expect(await items.insert(made(7))).toBe('taken');
  });

  test('a conditional replacement has happened, once', async () => {
    await items.insert(made(8));
    losing = true;
    const replaced = await items.replace(8, { name: 'b' }, { now: 2, version: 1 });
    expect(losing).toBe(false);
    expect(replaced).toMatchObject({ version: 2, values: { name: 'b' } });
    expect(await items.replace(8, { name: 'c' }, { now: 3, version: 1 })).toBe('stale');
    expect(await items.get(8)).toMatchObject({ version: 2, values: { name: 'b' } });
  });
});
