import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { UserError } from '../../tools/user-error.ts';
import { namesOf } from '../parts.ts';
import { figuresOf, verdictsOf } from './judge-peer.ts';
import { PEERS } from './peers/peers.ts';
import { write } from './report/write.ts';
import { type Result, tallyOf } from './result.ts';
import { plain } from './suite/adapter.ts';
import { Api } from './suite/api.ts';
import { verdictOn } from './suite/statement.ts';
import { statements } from './suite/statements.ts';

/**
 * `npm run lab -- compare [PEER…]` installs the peers, judges each by the same statements, measures it, and writes
 * docs/comparison.md with its charts. With names, it runs these peers and takes the others from the last run.
 * `--figures` measures alone, and keeps the verdicts of the last run. `--write` writes the page alone.
 * `--url URL` judges a running API that follows the paths of docs/specification.md, and writes nothing. `--token TOKEN`
 * goes with its requests.
 */
const BUILD = join(import.meta.dirname, '../../.build/compare');
const RESULT = join(BUILD, 'result.json');

const { values, positionals } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    figures: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

/** Judges a running API, and prints the statements that it does not meet. */
async function judgeUrl(url: string, token: string | undefined): Promise<void> {
  const credentials = token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } };
  const api = new Api(url, { ...plain, ...credentials });
  let count = 0;
  for (const statement of statements) {
    const verdict = await verdictOn(statement, api);
    if (verdict.state === 'met') count += 1;
    else console.log(`${verdict.state}: ${statement.says} (${statement.source}): ${verdict.why}`);
  }
  console.log(`${count} of ${statements.length} statements are met`);
}

const recorded = (): Result =>
  existsSync(RESULT) ? JSON.parse(readFileSync(RESULT, 'utf8')) : { peers: {} };
const record = (id: string, found: Result['peers'][string]): void =>
  writeFileSync(RESULT, JSON.stringify({ peers: { ...recorded().peers, [id]: found } }, undefined, 1));

async function compare(): Promise<void> {
  mkdirSync(BUILD, { recursive: true });
  const ids = Object.keys(PEERS);
  for (const id of values.write ? [] : namesOf(positionals, ids)) {
    const peer = PEERS[id];
    if (peer === undefined) continue;
    const folder = join(BUILD, id);
    const start = performance.now();
    try {
      await peer.install(folder);
      const figures = await figuresOf(peer, folder);
      const old = recorded().peers[id]?.judged?.verdicts;
      const verdicts = (values.figures && old) || (await verdictsOf(peer, folder));
      const found = { judged: { verdicts, figures } };
      record(id, found);
      const seconds = Math.round((performance.now() - start) / 1000);
      console.log(`${peer.name}: ${tallyOf(found).met} of ${statements.length} statements in ${seconds} s`);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      // Further lines of the message can have paths of this machine.
      record(id, { reason: error.message.split('\n')[0] ?? '' });
      console.log(`${peer.name}: not installed: ${error.message}`);
    }
  }
  if (ids.every((id) => recorded().peers[id])) write(recorded());
  else console.log('docs/comparison.md stays as it is, because not all peers have run here.');
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
await (values.url ? judgeUrl(values.url, values.token) : compare());
process.exit();
