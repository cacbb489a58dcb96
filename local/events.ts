import { matchesGlob } from 'node:path';
import { parseArgs } from 'node:util';
import { type RunningEngines, runningEngines } from './running.ts';
import { subscribe } from './subscriber.ts';

const USAGE = `npm run -s events [-- --type PATTERN] [--from NUMBER]
  --type PATTERN  print only events of this type; * matches any text: 'customer.*', '*.removed'
  --from NUMBER   start after the event with this number; 0: all events of the last 24 hours; default: only new events
Environment: DATA_DIR (.data/) of the npm start that runs`;

/** `npm run events` prints the events of a running `npm start`, one CloudEvent as JSON on each line. */
let last: number | undefined;

function ended(because: string, code: number): never {
  console.error(last === undefined ? because : `${because} Continue with --from ${last}`);
  process.exit(code);
}

const engines = (): RunningEngines =>
  runningEngines(process.env) ??
  ended('No npm start runs with this DATA_DIR: start it, or set DATA_DIR to its directory.', 1);

function options(): { type: string; from: number | undefined } {
  try {
    const { type = '*', from } = parseArgs({
      options: { type: { type: 'string' }, from: { type: 'string' } },
    }).values;
    if (from !== undefined && !/^[0-9]{1,15}$/.test(from)) throw new Error('--from takes a number');
    return { type, from: from === undefined ? undefined : Number(from) };
  } catch (error) {
    return ended(`${(error as Error).message}\n${USAGE}`, 1);
  }
}

const { type, from } = options();
const running = engines();
process.on('SIGINT', () => ended('', 0));
process.stdout.on('error', () => process.exit(0));
try {
  for await (const { id, data } of subscribe(running, from)) {
    last = id;
    if (matchesGlob(JSON.parse(data).type, type)) console.log(data);
  }
} catch {
  ended(`No engines with this key respond at ${running.url}: check that npm start runs.`, 1);
}
ended('The service has ended.', 0);
