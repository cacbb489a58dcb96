import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import type { Profiler } from 'node:inspector';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharesOf } from './shares.ts';

/**
 * `npm run tool -- profile [MEMBERS]` prints the CPU time that `npm start` takes for a request, as the least of five
 * rounds, and the share of each part of the code: docs/profile.md.
 */
const root = join(import.meta.dirname, '../..');
const CONNECTIONS = 10;
const ROUNDS = 5;
/** Members of one POST. */
const TOGETHER = 100;

const members = Number(process.argv[2] ?? 1000);
const directory = mkdtempSync(join(tmpdir(), 'resource-api-profile-'));
const probe = join(import.meta.dirname, 'probe.mjs');
const server: ChildProcess = spawn(
  process.execPath,
  ['--import', probe, join(root, 'local/start.mjs'), '--empty'],
  {
    cwd: root,
    env: { ...process.env, PORT: '0', DATA_DIR: join(directory, 'data'), ENGINE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  },
);
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

async function address(): Promise<string> {
  for await (const chunk of server.stdout ?? []) {
    const url = /Listening on (\S+)/.exec(String(chunk))?.[1];
    if (url) return url;
  }
  throw new Error('npm start printed no address');
}

/** Sends a message to the probe in the server. Returns the response. */
async function ask(message: 'count' | 'counted' | 'sample' | 'sampled'): Promise<unknown> {
  const response = once(server, 'message');
  server.send(message);
  return (await response)[0];
}

const success = (url: string): Promise<void> =>
  new Promise((done, failed) => {
    get(url, { agent }, (response) => {
      if (response.statusCode !== 200) failed(new Error(`${url}: ${response.statusCode}`));
      response.resume().once('end', done);
    }).once('error', failed);
  });

/** Sends requests over ten connections. */
async function load(url: string, count: number): Promise<void> {
  let left = count;
  const connection = async () => {
    while (left-- > 0) await success(url);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
}

/** Creates the members. Returns the URI of one of them. */
async function created(url: string): Promise<string> {
  let id = 0;
  for (let at = 0; at < members; at += TOGETHER) {
    const sent = Array.from({ length: Math.min(TOGETHER, members - at) }, (_, n) => ({
      username: `user${at + n}`,
      name: `Ada Byron ${at + n}`,
      email: `ada${at + n}@example.org`,
      age: (at + n) % 100,
    }));
    const response = await fetch(`${url}/members`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(sent),
    });
    if (response.status !== 201) throw new Error(`POST /members: ${response.status}`);
    const { items } = (await response.json()) as { readonly items: readonly { readonly id: number }[] };
    id = items[0]?.id ?? id;
  }
  return `${url}/members/${id}`;
}

try {
  const url = await address();
  const requests = [
    { name: '/health', uri: `${url}/health`, count: 3000, cpu: Number.POSITIVE_INFINITY },
    { name: 'item', uri: await created(url), count: 2000, cpu: Number.POSITIVE_INFINITY },
    { name: 'list of 25', uri: `${url}/members?limit=25`, count: 500, cpu: Number.POSITIVE_INFINITY },
  ];
  for (const { uri, count } of requests) await load(uri, count);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const request of requests) {
      await ask('count');
      await load(request.uri, request.count);
      request.cpu = Math.min(request.cpu, Number(await ask('counted')) / request.count);
    }
  }
  const [health] = requests;
  for (const { name, cpu } of requests) {
    const ratio = (cpu / (health?.cpu ?? cpu)).toFixed(2);
    console.log(`${name.padEnd(12)} ${cpu.toFixed(0).padStart(6)} µs  ${ratio} × /health`);
  }
  for (const { name, uri, count, cpu } of requests) {
    await ask('sample');
    await load(uri, count);
    console.log(`\n${name}\n${sharesOf((await ask('sampled')) as Profiler.Profile, cpu)}`);
  }
} finally {
  agent.destroy();
  server.kill('SIGTERM');
  if (server.exitCode === null) await once(server, 'exit');
  rmSync(directory, { recursive: true, force: true });
}
