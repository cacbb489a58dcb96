import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { as, type Closed, closed } from '../support/service/closed.ts';
import { command } from '../support/service/command.ts';

const TOOLS = join(import.meta.dirname, '../../tools/main.ts');

let service: Closed;
let token: string;
beforeAll(async () => {
  service = await closed();
  token = await service.issue('ada', 'members:read members:write');
}, 40_000);
afterAll(() => service.stop(), 20_000);

test('the example client runs without its generated types, with a token', async () => {
  for (const username of ['one', 'two', 'three'])
    await service.send('POST', '/members', { headers: as(token), json: { username } });
  const env = { ...process.env, TOKEN: token };
  const { stdout } = await command(process.execPath, [TOOLS, 'tour', service.url], { env });
  expect(stdout.toString().trimEnd().split('\n')).toEqual([
    'created ada',
    'patched to 37',
    'refused: A precondition failed',
    'faults at /email and /age',
    'found ada of engines',
    'deleted: 204',
  ]);
});
