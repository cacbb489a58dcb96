import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../test/support/client/client.ts';
import { newService } from '../../test/support/service/service.ts';
import type { Check } from '../checks.ts';
import { walk } from './audit.ts';

/** Requests that run at the same time: ten times as many as the local gateway admits. */
const CONCURRENT = 2000;
const ROUNDS = 3;
const IDLE = 2000;
const SLOW = 50;

/** What a request of the flood got. */
interface Response {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The name of the created item. */
  readonly name: string | undefined;
}

/** What the flood got. */
export interface Overloaded {
  readonly created: number;
  readonly refused: number;
  /** Requests whose connection the system refused or broke. */
  readonly cut: number;
  /** Ms from the end of the flood to the answers to a read and a write. */
  readonly backMs: number;
}

/**
 * Sends ten times as many requests as the service admits, beside idle connections, clients that read nothing, and clients
 * that send a byte a second. Checks that the service refuses the rest by 503 with Retry-After, answers a read and a write
 * afterwards, and has each item that it acknowledged.
 */
export async function overload(check: Check): Promise<Overloaded> {
  const { url, client, stop } = await newService(['--empty']);
  const sockets: Socket[] = [];
  try {
    for (let at = 0; at < 200; at += 1)
      await client('POST', '/customers', { json: { name: `filler ${at}`.padEnd(200, '.') } });
    sockets.push(...(await opened(url, IDLE)));
    sockets.push(...(await slowReaders(url)), ...(await slowSenders(url)));
    const answers = await flood(url);
    const end = performance.now();
    const read = await client('GET', '/members?limit=1');
    const write = await client('POST', '/members', { json: { name: 'after' } });
    const backMs = performance.now() - end;
    const got = answers.filter((one): one is Response => one !== undefined);
    const created = got.filter(({ status }) => status === 201);
    const refused = got.filter(({ status }) => status === 503);
    await check('the service creates, or refuses by 503 with Retry-After', () => {
      assert.ok(refused.length > 0, 'the service refused nothing');
      assert.equal(created.length + refused.length, got.length);
      for (const { retryAfter } of refused) assert.notEqual(retryAfter, undefined);
    });
    await check('the service reads and writes after the flood', () => {
      assert.deepEqual([read.status, write.status], [200, 201]);
    });
    await check('the service has each acknowledged item once', async () => {
      const names = await namesOf(client);
      const lost = created.filter(({ name = '' }) => names.get(name) !== 1);
      assert.deepEqual(lost, []);
      assert.deepEqual(
        [...names].filter(([, count]) => count > 1),
        [],
      );
    });
    return { created: created.length, refused: refused.length, cut: answers.length - got.length, backMs };
  } finally {
    for (const socket of sockets) socket.destroy();
    await stop();
  }
}

/** Sends requests in rounds: all connections of a round are open before the first request. */
async function flood(url: string): Promise<(Response | undefined)[]> {
  const answers: (Response | undefined)[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const sockets = await opened(url, CONCURRENT);
    const responses = sockets.map(responseOf);
    for (const [at, socket] of sockets.entries()) socket.write(post({ name: `flood ${round}.${at}` }));
    answers.push(...(await Promise.all(responses)));
  }
  return answers;
}

const post = (json: object): string => {
  const body = JSON.stringify(json);
  return [
    'POST /members HTTP/1.1',
    'Host: 127.0.0.1',
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
};

/** The response on a connection that the service closes after it; undefined if the connection broke before it. */
async function responseOf(socket: Socket): Promise<Response | undefined> {
  let text = '';
  socket.setEncoding('utf8').on('data', (part) => (text += part));
  await new Promise((closed) => socket.once('close', closed));
  const [, status] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? [];
  if (status === undefined) return undefined;
  const [, retryAfter] = /^Retry-After: (\d+)/im.exec(text) ?? [];
  const [, name] = /"name":"([^"]*)"/.exec(text) ?? [];
  return { status: Number(status), retryAfter, name };
}

/** Connections that send nothing. */
async function opened(url: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  return Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((done, failed) => {
          const socket = connect(Number(port), hostname, () => done(socket));
          socket.once('error', failed);
          socket.on('error', () => {});
        }),
    ),
  );
}

/** Connections whose clients ask for a large page again and again, and read nothing. */
async function slowReaders(url: string): Promise<Socket[]> {
  const sockets = await opened(url, SLOW);
  for (const socket of sockets) {
    socket.pause();
    socket.write('GET /customers?limit=1000 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(20));
  }
  return sockets;
}

/** Connections whose clients send a byte of a body each second. */
async function slowSenders(url: string): Promise<Socket[]> {
  const sockets = await opened(url, SLOW);
  for (const socket of sockets) {
    socket.write(
      'POST /members HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
    );
    void (async () => {
      while (!socket.destroyed && socket.writable) {
        socket.write(' ');
        await pause(1000, undefined, { ref: false });
      }
    })();
  }
  return sockets;
}

/** How many members have each name. */
async function namesOf(client: Client): Promise<Map<string, number>> {
  const names = new Map<string, number>();
  for (const { name } of await walk(client, '/members'))
    names.set(String(name), (names.get(String(name)) ?? 0) + 1);
  return names;
}
