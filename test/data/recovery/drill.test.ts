import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../../../local/free-port.ts';
import { checkout } from '../../support/runbook/checkout.ts';
import { commandsIn } from '../../support/runbook/commands.ts';
import { DRILL, withValues } from '../../support/runbook/scenes.ts';
import { command } from '../../support/service/command.ts';
import { temporary } from '../../support/service/service.ts';
import { describeUnless, missing } from '../../support/skips/describe-unless.ts';

/** Prints the lists, and status, entity tag and digest of the bytes of each item. */
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
  test('the commands of the drill lose all data and bring them back, with their versions and bytes', async () => {
    const folder = join(place.directory, 'checkout');
    checkout(folder);
    const port = String(await freePort());
    const page = readFileSync(join(folder, 'docs/operations.md'), 'utf8');
    const commands = commandsIn(page).filter(({ section }) => section === DRILL);
    const show = `echo "shown $(node -e "$SHOWN" http://127.0.0.1:${port})"`;
    const script = commands.flatMap(({ text }) => [
      ...(text.startsWith('kill ') ? [show] : []),
      withValues(text, { values: { '3100': port } }),
    ]);
    const { code, log, stdout } = await command(
      'bash',
      ['--norc', '-euo', 'pipefail', '-c', ["trap 'kill $SERVICE' ERR", ...script].join('\n')],
      { cwd: folder, env: { ...process.env, NODE_OPTIONS: '', SHOWN }, limitMs: 100_000 },
    );
    expect({ code, log }).toEqual({ code: 0, log });
    const output = stdout.toString();
    const [before = '', after, ...others] = [...output.matchAll(/^shown (.*)$/gm)].map(([, text]) => text);
    expect(others).toEqual([]);
    expect(JSON.parse(before).length).toBeGreaterThan(10);
    expect(after).toBe(before);
    expect(output).toContain('/files/widgets.png');
    expect(output.match(/^\d+ items differ$/gm)).toHaveLength(1);
    expect(output.match(/^The service has what the export has$/gm)).toHaveLength(2);
    expect(log.match(/^real\s/gm)).toHaveLength(2);
  }, 120_000);
});
