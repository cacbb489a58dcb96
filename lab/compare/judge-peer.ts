import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import { load } from '../bench/servers/load.ts';
import { running } from '../running.ts';
import type { Peer } from './peers/peer.ts';
import { Api, unique } from './suite/api.ts';
import { type Statement, verdictOn } from './suite/statement.ts';
import { statements } from './suite/statements.ts';
import type { Verdict } from './suite/verdict.ts';

/** What one run found about a peer. `verdicts`: by the text of the statement. */
export interface Judged {
  readonly verdicts: Readonly<Record<string, Verdict>>;
  readonly figures: Figures;
}

/** Requests a second, ms from the start of the process to its first response, and MB of memory after the load. */
export interface Figures {
  readonly get: number;
  readonly post: number;
  readonly start: number;
  readonly memory: number;
}

/** A running peer. `again` ends it, starts it with the same data, and returns the ms until its first response. */
interface Started {
  readonly pid: number;
  readonly hasEnded: boolean;
  again(signal: 'SIGTERM' | 'SIGKILL'): Promise<number>;
}

/** Starts a peer with new data and its collections, and stops it after the work. */
async function withPeer<T>(
  peer: Peer,
  folder: string,
  work: (api: Api, started: Started) => Promise<T>,
): Promise<T> {
  const data = join(folder, 'data', unique());
  mkdirSync(data, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // A group of its own, so that SIGKILL reaches each process of it.
  const start = () => running({ name: peer.name, ...peer.server({ folder, data, port }), isApart: true });
  let server = await start();
  const started: Started = {
    get pid() {
      return server.child.pid ?? 0;
    },
    get hasEnded() {
      return server.child.exitCode !== null || server.child.signalCode !== null;
    },
    again: async (signal) => {
      if (!started.hasEnded) {
        const ended = new Promise((end) => server.child.once('close', end));
        process.kill(-started.pid, signal);
        await ended;
      }
      const before = performance.now();
      server = await start();
      return performance.now() - before;
    },
  };
  // A user may end the run before the peer stops.
  const abandon = () => {
    if (!started.hasEnded) process.kill(-started.pid, 'SIGKILL');
    peer.end?.(data);
  };
  process.once('exit', abandon);
  try {
    await peer.prepare?.(url);
    return await work(new Api(url, peer.adapter, () => started.again('SIGKILL').then(() => {})), started);
  } finally {
    process.off('exit', abandon);
    await server.stop();
    peer.end?.(data);
  }
}

/** Measures a peer with new data. `folder`: where it is installed. */
export function figuresOf(peer: Peer, folder: string): Promise<Figures> {
  rmSync(join(folder, 'data'), { recursive: true, force: true });
  return withPeer(peer, folder, async (api, started) => {
    const rates = await measured(api);
    const memory = memoryOf(started.pid);
    return { ...rates, memory, start: await started.again('SIGTERM') };
  });
}

/** Judges a peer by all statements. Several times it begins with new data. `folder`: where it is installed. */
export async function verdictsOf(peer: Peer, folder: string): Promise<Judged['verdicts']> {
  const verdicts: Record<string, Verdict> = {};
  for (const group of groups())
    await withPeer(peer, folder, async (api, started) => {
      for (const one of group) {
        verdicts[one.says] = await verdictOn(one, api);
        // A statement that ends the process costs that statement alone.
        if (started.hasEnded) await started.again('SIGKILL');
      }
    });
  return verdicts;
}

/** The most statements that one start with new data serves. */
const GROUP = 110;

/** Parts together, so that the slow start of a peer does not take most of the time. */
function groups(): readonly (readonly Statement[])[] {
  const all: Statement[][] = [[]];
  for (const name of new Set(statements.map(({ part }) => part))) {
    const part = statements.filter((one) => one.part === name);
    if ((all.at(-1)?.length ?? 0) + part.length > GROUP) all.push([]);
    all.at(-1)?.push(...part);
  }
  return all;
}

const SECONDS = 4;

/** The rates of GET and POST of one member, after a second of each that does not count. */
async function measured(api: Api): Promise<Pick<Figures, 'get' | 'post'>> {
  const item = await api.make('members');
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
  const body = JSON.stringify(api.body(item.sent));
  const path = item.path.replace(/^https?:\/\/[^/]+/, '');
  const get = { url: api.url + path, headers };
  const post = { url: api.url + api.collection('members'), method: 'POST', headers, body } as const;
  const rate = async (asked: typeof get | typeof post) => {
    await load(asked, { duration: 1 }, true);
    const { answers, ms } = await load(asked, { duration: SECONDS }, true);
    return (1000 * answers) / ms;
  };
  return { get: await rate(get), post: await rate(post) };
}

/** The memory in MB of all processes of a server: their proportional set sizes. Source: proc_pid_smaps(5). */
function memoryOf(leader: number): number {
  let kilobytes = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [, , group] = text.slice(text.lastIndexOf(')') + 2).split(' ');
      if (Number(group) !== leader) continue;
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]);
    } catch {
      // The process has just ended.
    }
  return kilobytes / 1024;
}
