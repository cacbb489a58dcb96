import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { callerHash } from '../../shared/resource/access/owner.ts';
import { clientOf } from '../support/client/client.ts';
import { issuerOf } from '../support/client/tokens.ts';
import { clientAs } from '../support/service/closed.ts';
import { serviceWithEvents } from './received.ts';

/** The key of a service on this machine. */
const KEY = 'local';

let started: Awaited<ReturnType<typeof serviceWithEvents>>;

beforeAll(async () => {
  // With the name of a service, functions write the lines of a deployment.
  started = await serviceWithEvents(['--auth', '--empty'], { SERVICE: 'shop' });
}, 40_000);

afterAll(() => started.stop());

// Specification 11.14
test('a write has the hash of its caller in its event and in its log line, which do not name the caller', async () => {
  const { service, stream } = started;
  const send = clientOf(service.url as string);
  const ada = await clientAs({ send, issue: await issuerOf(service) }, 'ada', 'members:read members:write');
  const { status, headers } = await ada('POST', '/members', { json: { name: 'Grace' } });
  expect(status).toBe(201);
  const hash = callerHash(KEY, 'ada');
  const path = headers.location as string;
  expect(await stream.until(({ subject }) => subject === path)).toMatchObject({ authid: hash });
  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.includes('"template":"/members"'));
  expect(lines.map((line) => JSON.parse(line).caller)).toEqual([hash]);
  expect(lines.join()).not.toContain('"ada"');
}, 40_000);
