import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Run, run } from './service.ts';
import type { SharedRequest } from './shared.ts';

/** What the test files of a run share. The first file that needs one of them starts it. */
const services = new Map<string, Promise<Run>>();
let synthesis: Promise<{ readonly child: ChildProcess; readonly url: string }> | undefined;

const PROGRAM = join(import.meta.dirname, '../../infra/synthesis-process.ts');

async function startSynthesis() {
  const child = spawn(process.execPath, ['--max-semi-space-size=64', PROGRAM], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = await Promise.race([
    once(child.stdout as NodeJS.ReadableStream, 'data'),
    once(child, 'close'),
  ]);
  return { child, url: `http://127.0.0.1:${String(port).trim()}` };
}

function serviceOf(request: string): Promise<Run> {
  const { args, environment } = JSON.parse(request) as SharedRequest;
  const directory = join(process.env.TEST_RUN as string, `data-${services.size}`);
  const service = services.get(request) ?? run({ directory, args, environment });
  services.set(request, service);
  return service;
}

const server = createServer(async (request, response) => {
  const body = await text(request);
  if (request.url === '/synthesis') {
    synthesis ??= startSynthesis();
    return void response.end((await synthesis).url);
  }
  const { url, output } = await serviceOf(body);
  response.end(JSON.stringify({ url, output: output() }));
});

/** Creates the directory that all test files of a run share, and serves the addresses of what they share. */
export default async function startRun(): Promise<void> {
  process.env.TEST_RUN = mkdtempSync(join(tmpdir(), 'tests-'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env.TEST_SERVER = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Ends the processes that the test files have shared. */
export async function endShared(): Promise<void> {
  server.close();
  server.closeAllConnections();
  const running = await Promise.all(services.values());
  const child = (await synthesis)?.child;
  child?.stdin?.end();
  await Promise.all([...running.map((service) => service.stop()), child && once(child, 'close')]);
}
