import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { newService, type Service } from '../../support/service/service.ts';

/** Receivers that accept connections and never respond. One owner has 20 subscriptions. */
const SILENT = 19;
const EVENTS = 60;
/** The time of a busy machine that a test does not count, in ms. A receiver that delays others takes 10 s from them. */
const NOISE_MS = 6000;

let service: Service;
let quick: Server;
let silent: Server;
let arrived = 0;
const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};
beforeAll(async () => {
  service = await newService(['--empty']);
  quick = createServer((request, response) => {
    arrived += 1;
    request.resume();
    response.writeHead(204).end();
  });
  silent = createServer((request) => request.resume());
}, 40_000);
afterAll(async () => {
  for (const server of [quick, silent]) {
    server.close();
    server.closeAllConnections();
  }
  await service.stop();
});

const subscribe = async (url: string, more: object = {}) => {
  const json = { url, types: ['product.*'], ...more };
  const made = await service.client('POST', '/subscriptions', { json });
  expect(made.status).toBe(201);
  return String(made.headers.location);
};

/** Makes events, and returns the ms until the quick receiver has all of them. */
async function timeOfEvents(): Promise<number> {
  const [began, before] = [performance.now(), arrived];
  for (let at = 0; at < EVENTS; at += 20) {
    const json = Array.from({ length: 20 }, (_, one) => ({ name: `${at + one}` }));
    expect((await service.client('POST', '/products', { json })).status).toBe(201);
  }
  await eventually(async () => expect(arrived - before).toBe(EVENTS), 20, 40_000);
  return performance.now() - began;
}

/** The ms from a POST to its row in /changes, the median of some. */
async function timeToChange(): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < 9; at += 1) {
    const since = encodeURIComponent(new Date().toISOString());
    const began = performance.now();
    const { headers } = await service.client('POST', '/products', { json: { name: `timed ${at}` } });
    await eventually(async () => {
      const { items } = (await service.client('GET', `/changes?resource=products&since=${since}`)).json();
      expect(items.map(({ subject }) => subject)).toContain(String(headers.location));
    }, 5);
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[4] as number;
}

// Specification 18.9
test('receivers that never respond take no time from a quick one, and no subscription from the log', async () => {
  const [quickUrl, silentUrl] = [await listening(quick), await listening(silent)];
  const logAlone = await timeToChange();
  await subscribe(quickUrl);
  await timeOfEvents();
  const alone = await timeOfEvents();
  for (let at = 0; at < SILENT; at += 1) await subscribe(`${silentUrl}${at}`);
  // They have places, and the quick one gets its own.
  const beside = await timeOfEvents();
  expect(beside).toBeLessThan(alone + NOISE_MS);
  expect(await timeToChange()).toBeLessThan(10 * logAlone + NOISE_MS);
}, 90_000);

// Specification 17.1
test('subscriptions at a closed port do not delay the log', async () => {
  const { items } = (await service.client('GET', '/subscriptions?limit=100')).json();
  for (const { id } of items) await service.client('DELETE', `/subscriptions/${id}`);
  const alone = await timeToChange();
  for (let at = 0; at < 20; at += 1) await subscribe(`http://127.0.0.1:1/${at}`);
  expect(await timeToChange()).toBeLessThan(10 * alone + NOISE_MS);
}, 90_000);
