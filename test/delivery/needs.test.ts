import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { clientOf } from '../support/client/client.ts';
import { eventually } from '../support/eventually.ts';
import { type Run, run, temporary } from '../support/service/service.ts';
import { withFixture } from '../support/service/with-fixture.ts';

let place: Awaited<ReturnType<typeof temporary>>;
let service: Run;

beforeEach(async () => {
  place = await temporary();
});
afterEach(async () => {
  await service.stop();
  await place.remove();
});

/** Starts a service whose code needs MAIL_FROM and MAIL_KEY, with this environment. */
async function started(environment: Readonly<Record<string, string>>) {
  const sent = join(place.directory, 'sent.jsonl');
  service = await run({
    directory: join(place.directory, 'data'),
    args: ['--empty'],
    environment: { ...withFixture('needing'), REACTIONS: sent, ...environment },
  });
  if (service.url === undefined) throw new Error(service.output());
  return { send: clientOf(service.url), sent: () => (existsSync(sent) ? readFileSync(sent, 'utf8') : '') };
}

// Specification 19.2, 19.3
test('code reads the variables and secrets that it states, and no response and no log has a secret', async () => {
  const { send, sent } = await started({
    MAIL_FROM: 'shop@example.org',
    MAIL_KEY: 'key-of-7-seals',
    NOTICE_KEY: 'n',
  });
  const created = await send('POST', '/alerts', { json: { note: 'late' } });
  const path = String(created.headers.location);
  await eventually(async () => expect(sent()).toContain('late'));
  expect(JSON.parse(sent())).toEqual({ note: 'late', from: 'shop@example.org', key: 'key-of-7-seals' });
  const signed = await send('POST', `${path}/sign`);
  expect(signed.json()).toMatchObject({ sender: 'shop@example.org' });
  const described = await send('GET', '/openapi.json');
  expect(described.status).toBe(200);
  expect(described.text + signed.text + service.output()).not.toContain('seals');
}, 40_000);

test('the start names what is missing, and the first use throws with its name', async () => {
  const { send } = await started({ MAIL_FROM: 'shop@example.org' });
  expect(service.output()).toContain(
    'MAIL_KEY is missing, which alerts needs: set it in the environment or in the file .env.',
  );
  expect(service.output()).not.toContain('MAIL_FROM is missing');
  await send('POST', '/alerts', { json: { note: 'late' } });
  await eventually(async () => expect(service.output()).toContain('The secret MAIL_KEY is missing'));
}, 40_000);
