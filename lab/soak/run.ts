import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checks } from '../checks.ts';
import { draw } from '../curves.ts';
import { overload } from './overload.ts';
import { report } from './report.ts';
import { type Soaked, soak } from './soak.ts';

/**
 * `npm run lab -- soak [--minutes 30] [--seed N] [--write]` floods a service, and then runs clients against a service
 * that is killed each minute. It exits with 1 if a check fails. `--write`: writes docs/soak.md and its curves.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
});
const { done, check } = checks();
const overloaded = await overload(check);
const soaked = await soak(Number(values.minutes) * 60_000, Number(values.seed), check);
const text = report(Number(values.minutes), soaked, overloaded);
console.log(`\n${text}`);
if (values.write) {
  const docs = join(import.meta.dirname, '../../docs');
  writeFileSync(join(docs, 'soak.md'), text);
  writeFileSync(join(docs, 'soak.svg'), curvesOf(soaked));
}
const failed = done.filter(({ failure }) => failure !== undefined).length;
console.log(
  `\nTests: ${failed > 0 ? `${failed} failed, ` : ''}${done.length - failed} passed, ${done.length} total`,
);
process.exitCode = failed === 0 ? 0 : 1;

function curvesOf({ samples, kills }: Soaked): string {
  const curve = (title: string, of: (one: Soaked['samples'][number]) => number) => ({
    title,
    lines: [{ points: samples.map((sample) => [sample.at / 60, of(sample)] as const) }],
  });
  return draw(
    [
      curve('answers a second', ({ rate }) => rate),
      curve('memory, MB', ({ memory }) => memory),
      curve('open files and sockets', ({ handles }) => handles),
    ],
    'minutes',
    kills.map((at) => at / 60),
  );
}
