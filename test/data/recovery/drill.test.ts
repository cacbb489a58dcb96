import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../../support/free-port.ts';
import { checkout } from '../../support/runbook/checkout.ts';
import { commandsIn } from '../../support/runbook/commands.ts';
import { DRILL, withValues } from '../../support/runbook/scenes.ts';
import { command } from '../../support/service/command.ts';
import { temporary } from '../../support/service/service.ts';
import { describeUnless, missing } from '../../support/skips/describe-unless.ts';

/** Subscribes, changes a customer, waits until the log has the change, and writes the link of a follower after it. */
const FOLLOWED = `
const { writeFileSync } = require('node:fs');
const get = async (path) => (await fetch(process.argv[1] + path, { headers: { Accept: 'application/json' } })).json();
const linked = ({ links }, wanted) => links.find(({ rel }) => rel === wanted).href;
(async () => {
  const body = JSON.stringify({ url: process.argv[1], types: ['*'] });
  const json = { 'Content-Type': 'application/json' };
  await fetch(process.argv[1] + '/subscriptions', { method: 'POST', headers: json, body });
  const { items: [customer] } = await get('/customers');
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  await fetch(process.argv[1] + linked(customer, 'self'), { method: 'PATCH', headers, body: '{"address":"moved"}' });
  for (let next = '/changes', left = 100; left > 0; left -= 1) {
    const page = await get(next);
    next = linked(page, 'next');
    writeFileSync('drill/next', next);
    if (page.items.some(({ type }) => type === 'customer.changed')) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The log has no change');
})();`;

/** Prints the lists, and status, entity tag and digest of the bytes of each item, and of the versions of customers. */
const SHOWN = `
const { createHash } = require('node:crypto');
const send = async (path, accept) => {
  const response = await fetch(process.argv[1] + path, { headers: { Accept: accept } });
  const bytes = Buffer.from(await response.arrayBuffer());
  return [path, response.status, response.headers.get('ETag'), bytes];
};
(async () => {
  const shown = [];
  for (const name of ['members', 'customers', 'products', 'orders', 'files']) {
    const [, , , bytes] = await send('/' + name + '?limit=100', 'application/json');
    const { items } = JSON.parse(bytes);
    for (const item of items) {
      const { href } = item.links.find(({ rel }) => rel === 'self');
      const [path, status, tag, content] = await send(href, '*/*');
      shown.push([path, status, tag, createHash('sha256').update(content).digest('hex')]);
      if (name === 'customers')
        shown.push(String((await send(href + '/versions', 'application/json'))[3]));
    }
  }
  console.log(JSON.stringify(shown));
})();`;

let place: Awaited<ReturnType<typeof temporary>>;
beforeAll(async () => {
  place = await temporary();
});
afterAll(() => place.remove());

describeUnless(missing('bash', 'curl'), 'the drill of the runbook', () => {
  test('the commands of the drill lose all data and bring them back, with their versions and bytes, and followers begin anew', async () => {
    const folder = join(place.directory, 'checkout');
    checkout(folder);
    const port = String(await freePort());
    const page = readFileSync(join(folder, 'docs/recovery.md'), 'utf8');
    const commands = commandsIn(page).filter(({ section }) => section === DRILL);
    const url = `http://127.0.0.1:${port}`;
    const show = `echo "shown $(node -e "$SHOWN" ${url})"
echo "followed $(curl -s -o drill/page -w '%{http_code}' "${url}$(cat drill/next)")"
echo "subscribed $(curl -s "${url}/subscriptions")"`;
    const script = commands.flatMap(({ text }) => [
      ...(text.startsWith('kill ') ? [show] : []),
      withValues(text, { values: { '3100': port } }),
      ...(text.startsWith('curl -sfX PUT ') ? [`node -e "$FOLLOWED" ${url}`] : []),
    ]);
    const { code, log, stdout } = await command(
      'bash',
      ['--norc', '-euo', 'pipefail', '-c', ["trap 'kill $SERVICE' ERR", ...script].join('\n')],
      { cwd: folder, env: { ...process.env, NODE_OPTIONS: '', SHOWN, FOLLOWED }, limitMs: 100_000 },
    );
    expect({ code, log }).toEqual({ code: 0, log });
    const output = stdout.toString();
    const [before = '', after, ...others] = [...output.matchAll(/^shown (.*)$/gm)].map(([, text]) => text);
    expect(others).toEqual([]);
    expect(JSON.parse(before).length).toBeGreaterThan(10);
    expect(after).toBe(before);
    expect(before).toContain('\\"version\\":2');
    expect([...output.matchAll(/^followed (.*)$/gm)].map(([, status]) => status)).toEqual(['200', '410']);
    const subscribed = [...output.matchAll(/^subscribed (.*)$/gm)].map(
      ([, text]) => JSON.parse(text ?? '').items,
    );
    expect(subscribed).toEqual([
      [expect.objectContaining({ url, status: 'active' })],
      [
        expect.objectContaining({
          url,
          status: 'suspended',
          reason: 'An import has no secrets: create the subscription anew',
        }),
      ],
    ]);
    expect(output).toContain('/files/note.txt');
    expect(output.match(/^\d+ items differ$/gm)).toHaveLength(1);
    expect(output.match(/^The service has what the export has$/gm)).toHaveLength(2);
    expect(log.match(/^real\s/gm)).toHaveLength(2);
  }, 120_000);
});
