import { OptionError, readOptions } from '../../local/options.ts';
import { UserError } from '../../tools/user-error.ts';
import { startApi } from './api.ts';

const USAGE = `npm run lab -- sam start [--empty] [--seed] [-- OPTIONS OF sam local start-api]
  --empty, --seed  as for npm start
Environment: PORT (3000; 0 = any), HOST (127.0.0.1), DATA_DIR (.data/), ENGINE_PORT (0 = any), SAM (where sam is)
Needs a Docker engine and SAM: docs/sam.md.`;

/** `npm run lab -- sam start` runs all functions in containers behind SAM's API, with engines and background work. */
const all = process.argv.slice(2);
const [own, passedOn] = all.includes('--')
  ? [all.slice(0, all.indexOf('--')), all.slice(all.indexOf('--') + 1)]
  : [all, []];
const options = optionsOf(own);
if (passedOn.some((one) => /^(?:-p|--port|--host)(?:$|=)/.test(one)))
  throw new UserError('Set the address by PORT and HOST, and not by options of SAM.');
const api = await startApi(options, passedOn, 'inherit');
console.log(`The functions in containers: ${api.url}`);
console.log(`The same data without:       ${api.inProcessUrl}`);
process.exitCode = await api.ended;

function optionsOf(own: readonly string[]) {
  if (own.includes('--help')) throw new UserError(USAGE);
  try {
    const options = readOptions(own, process.env);
    if (options.stage === undefined) return options;
    throw new UserError('SAM has no stage in the path. Use npm start with --stage.');
  } catch (error) {
    if (error instanceof OptionError) throw new UserError(error.message);
    throw error;
  }
}
