import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '../../../test/support/eventually.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { packageIn } from '../../../tools/packages.ts';
import { pythonProgram } from '../../python.ts';
import type { Part } from '../part.ts';

const SUITES = join(import.meta.dirname, '..');
const EXAMPLE = new URL('../../../examples/receiver.py', import.meta.url).pathname;

const { CloudEvent } = (await import(packageIn(SUITES, 'cloudevents/dist/index.js'))) as {
  CloudEvent: new (event: object, isStrict: boolean) => object;
};

/**
 * Delivers an event to the Python example, which verifies it by standardwebhooks and reads it by cloudevents. Reads the
 * changes by the strict parser of cloudevents for JavaScript.
 */
export const part: Part = {
  about: 'a receiver of webhooks in Python, with the libraries standardwebhooks and cloudevents',
  needs: ['python3'],
  run: async ({ service, check }) => {
    const port = await freePort();
    const json = { url: `http://127.0.0.1:${port}/`, types: ['product.*'] };
    const subscription = (await service.client('POST', '/subscriptions', { json })).json();
    const python = pythonProgram(SUITES, 'python');
    const receiver = spawn(python, [EXAMPLE], {
      env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: String(subscription.secret) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    createInterface({ input: receiver.stdout }).on('line', (line) => lines.push(line));
    const printed = (part: string) =>
      eventually(async () =>
        assert.ok(
          lines.some((line) => line.includes(part)),
          lines.join('\n'),
        ),
      );
    try {
      await printed('Listening on');
      await check('the receiver takes a change', async () => {
        const path = await service.create('/products', { name: 'Mug from Python' });
        await printed(`product.created ${path}`);
        await printed('Mug from Python');
      });
      await check('each change is a CloudEvent to a strict parser', async () => {
        const { items } = (await service.client('GET', '/changes')).json();
        assert.ok(items.length > 0);
        for (const item of items) new CloudEvent(item, true);
        assert.throws(() => new CloudEvent({ ...items[0], type: undefined }, true));
      });
      await check('the receiver refuses a message with a wrong signature', async () => {
        const { status } = await fetch(json.url, {
          method: 'POST',
          body: '{}',
          headers: { 'webhook-id': 'a' },
        });
        assert.equal(status, 400);
      });
    } finally {
      receiver.kill();
    }
  },
};
