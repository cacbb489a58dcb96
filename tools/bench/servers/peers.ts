import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ended, sent } from '../parts/requests.ts';
import { node, npmStart, type Program } from './process.ts';

const here = import.meta.dirname;
const out = join(here, '../../../.build/bench');

/** A server that stores members and serves GET of an item, GET of a list of 25, and POST. */
export interface Peer {
  readonly name: string;
  /** The differences between its work and the work of this service. */
  readonly differs: string;
  /** The path of the collection, and the path and query of a list of 25. */
  readonly collection: string;
  readonly list: string;
  /** The path of the cheapest answer, if we measure it. */
  readonly health?: string;
  /** Seconds of requests of each kind before the first round. A JVM compiles while it serves. */
  readonly warmSeconds: number;
  /** Makes the program ready. */
  prepare(): Prepared;
  /** Adds members over HTTP. Without it, the program itself adds ROWS members when it starts. */
  fill?(url: string, rows: number): Promise<void>;
}

export type Prepared =
  | { readonly kind: 'ready'; readonly program: Program }
  | { readonly kind: 'missing'; readonly needs: string };

const script = (path: string): Prepared => ({
  kind: 'ready',
  program: node(path),
});

/** Runs a build. Its tools download with their own configuration. */
function builtBy(command: string, args: readonly string[], needs: string, program: Program): Prepared {
  const { status } = spawnSync(command, args, { cwd: here, stdio: ['ignore', 'inherit', 'inherit'] });
  return status === 0 ? { kind: 'ready', program } : { kind: 'missing', needs };
}

/** The largest number of members in one request. */
const BATCH = 10_000;

async function fill(url: string, rows: number): Promise<void> {
  for (let left = rows; left > 0; left -= BATCH) {
    const members = Array.from({ length: Math.min(left, BATCH) }, () => ({ name: 'Ada Byron', age: 36 }));
    const headers = { 'Content-Type': 'application/json' };
    const { location } = await sent(
      `${url}/members`,
      { method: 'POST', headers, body: JSON.stringify(members) },
      202,
    );
    await ended(url, location);
  }
}

const spring = join(out, 'spring-data-rest');
const pocketbase = join(out, 'pocketbase');

/** This service and its peers. The first one is this service. */
export const PEERS: readonly Peer[] = [
  {
    name: 'resource-api, npm start',
    differs:
      'signs each call of an engine, makes events of API Gateway, negotiates, validates, sends entity tags and links, logs each request; one thread; a POST writes the table and its indexes to disk',
    collection: '/members',
    list: '/members?limit=25',
    health: '/health',
    warmSeconds: 3,
    prepare: () => ({ kind: 'ready', program: npmStart('--empty') }),
    fill,
  },
  {
    name: 'Fastify on the same embedded DynamoDB',
    differs:
      'the official SDK with signatures; one index with one partition; bare JSON without tags, links, validation or logs; one thread',
    collection: '/members',
    list: '/members',
    warmSeconds: 1,
    prepare: () => script('tools/bench/servers/fastify.mjs'),
  },
  {
    name: 'json-server 0.17',
    differs:
      'all rows in an array in memory; each POST writes the whole file again; weak entity tags; one thread',
    collection: '/members',
    list: '/members?_limit=25',
    warmSeconds: 1,
    prepare: () => script('tools/bench/servers/json-server.cjs'),
  },
  {
    name: 'PocketBase 0.36',
    differs:
      'compiled Go on all processors; SQLite in the process, one row for each POST; no tags, no links; `skipTotal` leaves out its count; it stores a log of requests in a second file',
    collection: '/api/collections/members/records',
    list: '/api/collections/members/records?perPage=25&skipTotal=true',
    warmSeconds: 1,
    prepare: () =>
      builtBy('go', ['build', '-C', 'pocketbase', '-trimpath', '-o', pocketbase, '.'], 'Go 1.26', {
        command: pocketbase,
        args: [],
      }),
  },
  {
    name: 'Spring Data REST 3.5 (Boot)',
    differs:
      'a JVM with threads on all processors, which compiles while it warms up; H2 in memory, nothing on disk; a list counts all rows; links, no tags without a version',
    collection: '/members',
    list: '/members?size=25',
    warmSeconds: 8,
    prepare: () =>
      builtBy(
        'mvn',
        [
          ...['-B', '-q', '-f', 'spring-data-rest/pom.xml', `-Dout=${spring}`],
          ...['compile', 'dependency:copy-dependencies', '-DincludeScope=runtime'],
          `-DoutputDirectory=${spring}/libraries`,
        ],
        'a JDK 17 and Maven',
        { command: 'java', args: ['-cp', `${spring}/classes:${spring}/libraries/*`, 'bench.Application'] },
      ),
  },
];
