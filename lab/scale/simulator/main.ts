import { drain } from './log.ts';
import { simulate } from './simulate.ts';

/** `node lab/scale/simulator/main.ts simulate|drain JSON` prints the outcome as JSON. Each run has a process of its own. */
const [, , kind, input = ''] = process.argv;
const given = JSON.parse(input);
const outcome = JSON.stringify(await (kind === 'drain' ? drain(given) : simulate(given)));
process.stdout.write(outcome, () => process.exit());
