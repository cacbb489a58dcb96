import { measure } from './items/measure.ts';
import { drain } from './simulator/log.ts';
import { simulate } from './simulator/simulate.ts';

/** `node lab/scale/main.ts measure|simulate|drain JSON` prints the result as JSON. Each run has a process of its own. */
const [, , kind = '', input = ''] = process.argv;
const given = JSON.parse(input);
const result = await (kind === 'measure'
  ? measure(given)
  : kind === 'drain'
    ? drain(given)
    : simulate(given));
process.stdout.write(JSON.stringify(result), () => process.exit());
