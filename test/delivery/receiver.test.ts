import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { newService } from '../support/service/service.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/receiver.mjs');

// Specification 18.7
test('examples/receiver.mjs prints an event whose signature is right, and refuses any other', async () => {
  const service = await newService();
  const port = await freePort();
  const json = { url: `http://127.0.0.1:${port}/`, types: ['product.*'] };
  const { secret } = (await service.client('POST', '/subscriptions', { json })).json();
  const receiver = spawn(process.execPath, [EXAMPLE], {
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: String(secret) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: receiver.stdout }).on('line', (line) => lines.push(line));
  const printed = (part: string) => eventually(async () => expect(lines.join('\n')).toContain(part));
  try {
    await printed('Listening on');
    const { headers } = await service.client('POST', '/products', { json: { name: 'Mug' } });
    await printed(`product.created ${headers.location} {`);
    expect((await fetch(json.url, { method: 'POST', body: '{}' })).status).toBe(400);
  } finally {
    receiver.kill();
    await service.stop();
  }
}, 40_000);
