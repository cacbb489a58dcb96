import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type Delivered, type Receiver, startReceiver } from '../conformance/subscriptions/receiver.ts';
import type { Client } from '../support/client/client.ts';
import { expectProblem } from '../support/client/problem.ts';
import { eventually } from '../support/eventually.ts';
import { clientAs } from '../support/service/closed.ts';
import { type Supervised, supervised } from './supervised.ts';

const SCOPES = 'subscriptions:read subscriptions:write products:read';

let receiver: Receiver;
let service: Supervised;
let ada: Client;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await supervised('owned');
  ada = await clientAs(service, 'ada', SCOPES);
}, 40_000);
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

async function subscribe(path: string) {
  const json = { url: receiver.url + path, types: ['product.*'] };
  const made = await ada('POST', '/subscriptions', { json });
  return { path: String(made.headers.location), secret: String(made.json().secret) };
}

const rotate = (path: string, body: object, headers = {}) =>
  ada('POST', `${path}/rotate`, { json: body, headers });

/** Sends a test, and returns what arrives. */
async function ping(path: string, at: string): Promise<Delivered> {
  const count = receiver.at(at).length;
  expect((await ada('POST', `${path}/test`)).status).toBe(204);
  return eventually(async () => {
    const found = receiver.at(at)[count];
    if (!found) throw new Error('The test has not arrived');
    return found;
  });
}

/** The secrets of some that verify a delivery, by the library of Standard Webhooks at the time of the delivery. */
function verifying(secrets: readonly string[], { headers, body }: Delivered): readonly string[] {
  return secrets.filter((secret) => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  });
}

// Specification 18.14
test('after a rotation both secrets sign for the overlap, the new one first, and then the new one alone', async () => {
  const { path, secret: old } = await subscribe('/204/rotated');
  const key = { 'Idempotency-Key': '"rotate"' };
  const made = await rotate(path, { overlap: 60 }, key);
  expect([made.status, made.headers['cache-control']]).toEqual([200, 'no-store']);
  const { secret, previousUntil } = made.json();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(Date.parse(String(previousUntil)) - Date.now()).toBeLessThanOrEqual(60_000);
  const repeated = await rotate(path, { overlap: 60 }, key);
  expect([repeated.status, repeated.text]).toEqual([200, made.text]);

  const both = [String(secret), old];
  const during = await ping(path, '/204/rotated');
  expect(verifying(both, during)).toEqual(both);
  const [first] = String(during.headers['webhook-signature']).split(' ');
  expect(verifying(both, { ...during, headers: { ...during.headers, 'webhook-signature': first } })).toEqual([
    secret,
  ]);

  for (const at of [path, '/subscriptions', `${path}/deliveries`])
    expect((await ada('GET', at)).text).not.toMatch(/whsec_/);
  expect(service.output()).not.toContain('whsec_');
  service.pass(60_000);
  const after = await ping(path, '/204/rotated');
  expect(String(after.headers['webhook-signature']).split(' ')).toHaveLength(1);
});

// Specification 18.14
test('a second rotation ends the older secret, and an overlap of 0 ends the present one', async () => {
  const { path, secret: first } = await subscribe('/204/twice');
  const second = String((await rotate(path, {})).json().secret);
  const third = String((await rotate(path, { overlap: 86_400 })).json().secret);
  const all = [third, second, first];
  expect(verifying(all, await ping(path, '/204/twice'))).toEqual([third, second]);
  const made = await rotate(path, { overlap: 0 });
  const last = String(made.json().secret);
  expect(made.json()).not.toHaveProperty('previousUntil');
  expect(verifying([last, ...all], await ping(path, '/204/twice'))).toEqual([last]);
  // A change of the subscription keeps the secrets.
  const json = { url: `${receiver.url}/204/moved` };
  await ada('PATCH', path, { json, headers: { 'Content-Type': 'application/merge-patch+json' } });
  expect(verifying([last, ...all], await ping(path, '/204/moved'))).toEqual([last]);
});

// Specification 18.14
test('an overlap is 0 to 7 days, and a rotation needs the scope and the owner', async () => {
  const { path } = await subscribe('/204/refused');
  for (const overlap of [-1, 604_801, 'a']) expectProblem(await rotate(path, { overlap }), 400);
  const bob = await clientAs(service, 'bob', SCOPES);
  expectProblem(await bob('POST', `${path}/rotate`, { json: {} }), 404);
  const reader = await clientAs(service, 'ada', 'subscriptions:read');
  expectProblem(await reader('POST', `${path}/rotate`, { json: {} }), 403);
});
