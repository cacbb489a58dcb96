import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { address, get, send, underTest, unique } from '../../support/service/under-test.ts';
import { watch, witness } from '../../support/witness.ts';

underTest();
watch();

describe('slow and aborted requests', () => {
  const opened = async (bytes: string): Promise<void> => {
    const { hostname, port } = new URL(address());
    await new Promise<void>((done) => {
      const socket = connect(Number(port), hostname, () => socket.write(bytes, () => socket.destroy()));
      socket.on('close', () => done());
      socket.on('error', () => done());
    });
  };

  test('have no effect if the client aborts in the middle', async () => {
    const name = unique('aborted');
    await opened(`PUT /files/${name} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nonly this`);
    await opened(
      `PUT /files/${name} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`,
    );
    await opened(
      `PUT ${witness().path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"name":"half"}`,
    );
    await opened('GET /mem');
    for (let at = 0; at < 20; at += 1) expectProblem(await get(`/files/${name}`), 404);
  });

  test('get their response and do not delay others', async () => {
    const { hostname, port } = new URL(address());
    const name = unique('slow');
    const socket = connect(Number(port), hostname);
    let text = '';
    const answered = new Promise<void>((done) => {
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        if (text.includes('\r\n\r\n')) done();
      });
      socket.on('close', () => done());
    });
    for (const part of [
      `PUT /files/${name} HT`,
      'TP/1.1\r\nHost: local',
      'host\r\nContent-Le',
      'ngth: 6\r\n\r\nsl',
    ]) {
      socket.write(part);
      expect((await get('/health')).status).toBe(200);
    }
    expect((await get('/members?limit=1')).status).toBe(200);
    socket.write('owly');
    await answered;
    socket.destroy();
    expect(text).toMatch(/^HTTP\/1\.1 201/);
    expect((await get(`/files/${name}`)).text).toBe('slowly');
  });

  test('can be several on one connection, pipelined', async () => {
    const one = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const last = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const { hostname, port } = new URL(address());
    const text = await new Promise<string>((done) => {
      let all = '';
      const socket = connect(Number(port), hostname, () => socket.write(one + one + last));
      socket.on('data', (chunk) => {
        all += chunk.toString('latin1');
      });
      socket.on('close', () => done(all));
    });
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
  });

  test('can be announced with Expect: 100-continue', async () => {
    const name = unique('expect');
    const answer = await send('PUT', `/files/${name}`, {
      body: 'expected',
      headers: { Expect: '100-continue' },
    });
    expect(answer.status).toBe(201);
    expect((await get(`/files/${name}`)).text).toBe('expected');
  });
});
