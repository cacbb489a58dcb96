/** Measures what a write costs more if its resource keeps versions. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQSClient } from '@aws-sdk/client-sqs';
import { inProcess, newCredentials, openEngines } from 'embedded-aws';
import { email, resource, text } from '../../../api/index.ts';
import { provision, variables } from '../../../local/provision/provision.ts';
import { configureClients } from '../../../shared/aws/clients/client.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { eventOf } from '../../events.ts';
import { handlerOf } from '../../handler.ts';
import type { Limit } from '../limits.ts';

const ROUNDS = 12;
/** PUT requests of a round. */
const WRITES = 200;

const facts = {
  about: 'People.',
  fields: { name: text({ sortable: true }), email: email() },
};
const kept = resource('kept', { ...facts, singular: 'kept-person', history: { days: 30 } });
const plain = resource('plain', { ...facts, singular: 'plain-person' });

/** The processor time of a PUT of an item with history, by the time of one without. Both functions run in this process. */
export async function writeWithHistory(): Promise<Limit> {
  const directory = mkdtempSync(join(tmpdir(), 'resource-api-bench-'));
  const credentials = newCredentials();
  const engines = openEngines({ directory, credentials });
  try {
    const settings = { requestHandler: inProcess(engines), credentials, region: 'us-east-1' };
    configureClients(settings);
    Object.assign(process.env, variables([kept, plain]));
    await provision([kept, plain], new SQSClient(settings));
    const writers = [await writerOf(kept), await writerOf(plain)] as const;
    const best: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < ROUNDS; round += 1)
      for (const at of [0, 1] as const) best[at] = Math.min(best[at], await timeOf(writers[at]));
    return { what: 'PUT of an item with history ÷ without, CPU', value: best[0] / best[1], most: 1.1 };
  } finally {
    await engines.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Creates an item. Returns what changes it. @throws Error for another status than the expected one */
async function writerOf(one: Resource): Promise<(name: string) => Promise<void>> {
  const handler = handlerOf(one);
  const send = async (sent: Parameters<typeof eventOf>[0], status: number): Promise<string> => {
    const headers = { 'Content-Type': 'application/json' };
    const { statusCode, body } = await handler(eventOf({ ...sent, headers }));
    if (statusCode !== status) throw new Error(`${statusCode} ${body}`);
    return body;
  };
  const template = `/${one.name}`;
  const { id } = JSON.parse(await send({ method: 'POST', template, body: '{"name":"Ada"}' }, 201));
  const item = { method: 'PUT', template: `${template}/{id}`, parameters: { id: String(id) } };
  return async (name) => void (await send({ ...item, body: JSON.stringify({ name }) }, 200));
}

/** µs of processor time of a write. */
async function timeOf(write: (name: string) => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  for (let at = 0; at < WRITES; at += 1) await write(`Ada ${at}`);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / WRITES;
}
