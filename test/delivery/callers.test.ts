import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { callerHash } from '../../shared/resource/access/caller-hash.ts';
import { clientOf } from '../support/client/client.ts';
import { issuerOf } from '../support/client/tokens.ts';
import { clientAs } from '../support/service/closed.ts';
import { type Run, run, temporary } from '../support/service/service.ts';
import { receiving } from './received.ts';

/** The key of a service on this machine. */
const KEY = 'local';

let place: Awaited<ReturnType<typeof temporary>>;
let service: Run;
let stream: ReturnType<typeof receiving>;

beforeAll(async () => {
  place = await temporary();
  const directory = join(place.directory, 'data');
  // With the name of a service, functions write the lines of a deployment.
  service = await run({ directory, args: ['--auth', '--empty'], environment: { SERVICE: 'shop' } });
  stream = receiving(directory);
}, 40_000);

afterAll(async () => {
  await stream.stop();
  await service.stop();
  await place.remove();
}, 20_000);

// Specification 11.14
test('a write has the hash of its caller in its event and in its log line, which do not name the caller', async () => {
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
