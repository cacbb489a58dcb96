import { parseArgs } from 'node:util';
import { checks } from '../checks.ts';
import { harm } from './harm.ts';

/**
 * `npm run lab -- harm [--seeds 10] [--calls 300]` lets an agent harm a service, by the Model Context Protocol and by HTTP.
 * One undo must bring every item back. It exits with 1 if an item differs.
 */
const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '10' }, calls: { type: 'string', default: '300' } },
});
const { done, check } = checks();
const sums = { items: 0, back: 0, changed: 0 };
for (let seed = 1; seed <= Number(values.seeds); seed += 1)
  await check(`seed ${seed}: every item is back`, async () => {
    const { items, back, changed, done: what, differences } = await harm(seed, Number(values.calls));
    sums.items += items;
    sums.back += back;
    sums.changed += changed;
    const count = [...what.values()].reduce((sum, one) => sum + one, 0);
    console.log(
      `    ${back} of ${items} items are back; ${count} calls of ${what.size} kinds had changed or removed ${changed}`,
    );
    if (changed * 2 < items) throw new Error('The agent has done too little harm to prove anything');
    if (differences.length > 0) throw new Error(differences.slice(0, 10).join('\n'));
  });
const failed = done.filter(({ failure }) => failure !== undefined).length;
console.log(
  `\n${sums.back} of ${sums.items} items of ${values.seeds} seeds are back; the agent had changed or removed ${sums.changed}`,
);
console.log(
  `\nTests: ${failed > 0 ? `${failed} failed, ` : ''}${done.length - failed} passed, ${done.length} total`,
);
process.exitCode = failed === 0 ? 0 : 1;
