import { setTimeout as pause } from 'node:timers/promises';
import { type Asked, LoadGenerator } from './load.ts';
import { PEERS, type Peer } from './peers.ts';
import { type Running, started } from './process.ts';

const MEMBER = '{"name":"Ada Byron","age":36}';
const POST: Omit<Asked, 'url'> = {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: MEMBER,
};

export type Kind = 'health' | 'item' | 'list' | 'post';

/** The best rounds: the highest rate, and the lowest processor time of the server per request in µs. */
export interface Figure {
  readonly perSecond: number;
  readonly microseconds: number;
}

/** The figures of a server with a number of rows, or what this machine lacks for it. */
export type Measured =
  | {
      readonly kind: 'measured';
      readonly peer: Peer;
      readonly figures: Readonly<Partial<Record<Kind, Figure>>>;
      /** Resident memory after all rounds, in MB. */
      readonly resident: number;
    }
  | { readonly kind: 'missing'; readonly peer: Peer; readonly needs: string };

interface Subject {
  readonly peer: Peer;
  readonly server: Running;
  readonly asked: Readonly<Partial<Record<Kind, Asked>>>;
  readonly figures: Partial<Record<Kind, Figure>>;
}

/** Starts a server with its rows, and finds the URL of an item. */
async function subject(peer: Peer, server: Running, rows: number): Promise<Subject> {
  const { url } = server;
  await peer.fill?.(url, rows);
  const answer = await fetch(url + peer.collection, POST);
  const text = await answer.text();
  const path =
    answer.headers.get('location') ?? `${peer.collection}/${(JSON.parse(text) as { id: string }).id}`;
  return {
    peer,
    server,
    asked: {
      ...(peer.health ? { health: { url: url + peer.health } } : {}),
      item: { url: new URL(path, url).href },
      list: { url: url + peer.list },
      post: { url: url + peer.collection, ...POST },
    },
    figures: {},
  };
}

/** One round. The processor time includes all threads of the server. */
async function round({ server, asked, figures }: Subject, kind: Kind, load: LoadGenerator, seconds: number) {
  const requests = asked[kind];
  if (!requests) return;
  const before = server.processorTime();
  const { answers, ms } = await load.forSeconds(requests, seconds);
  const spent = server.processorTime() - before;
  const best = figures[kind];
  figures[kind] = {
    perSecond: Math.max(best?.perSecond ?? 0, (answers / ms) * 1000),
    microseconds: Math.min(best?.microseconds ?? Number.POSITIVE_INFINITY, spent / answers),
  };
}

/** Seconds in which a server can finish the work that its rows began. */
const SETTLING_S = 180;
/** Processor time of an idle server in a second, in µs, at most. */
const IDLE = 50_000;

/** Waits until a server has finished the work that its rows began, such as the publication of their events. */
async function settled({ server }: Subject): Promise<void> {
  for (let second = 0; second < SETTLING_S; second += 1) {
    const before = server.processorTime();
    await pause(1000);
    if (server.processorTime() - before < IDLE) return;
  }
}

/** Rounds of a second of each kind, after a warm-up. */
export interface Phase {
  readonly kinds: readonly Kind[];
  readonly rounds: number;
}

/**
 * Measures all servers with a number of rows. All servers run at the same time. The rounds of servers and kinds
 * alternate, so that a slow minute affects all. Later phases begin after earlier ones: a POST changes the rows.
 */
export async function measured(rows: number, phases: readonly Phase[]): Promise<readonly Measured[]> {
  const load = new LoadGenerator();
  const running: Running[] = [];
  try {
    const all: (Subject | Extract<Measured, { kind: 'missing' }>)[] = [];
    for (const peer of PEERS) {
      const prepared = peer.prepare();
      if (prepared.kind === 'missing') {
        all.push({ kind: 'missing', peer, needs: prepared.needs });
        continue;
      }
      const { program } = prepared;
      const server = await started({ ...program, environment: { ROWS: String(rows) } });
      running.push(server);
      all.push(await subject(peer, server, rows));
    }
    const subjects = all.filter((one): one is Subject => 'server' in one);
    for (const one of subjects) await settled(one);
    for (const { kinds, rounds } of phases) {
      for (const one of subjects) {
        for (const kind of kinds) {
          const requests = one.asked[kind];
          if (requests) await load.forSeconds(requests, one.peer.warmSeconds);
        }
      }
      for (let at = 0; at < rounds; at += 1)
        for (const one of subjects) for (const kind of kinds) await round(one, kind, load, 1);
    }
    return all.map((one) =>
      'server' in one
        ? { kind: 'measured', peer: one.peer, figures: one.figures, resident: one.server.resident() }
        : one,
    );
  } finally {
    load.stop();
    await Promise.all(running.map((server) => server.stop()));
  }
}
