import { createRequire } from 'node:module';
import { CONTEXT } from '../../events.ts';
import { EVENTS } from '../parts/events.ts';

/** Measures warm CPU time in a new process: `node warm.mjs BUNDLE`. Prints JSON: event → µs of an invocation. */
const [, , path] = process.argv;
const { handler } = createRequire(import.meta.url)(path);
const result = {};
for (const [name, event] of Object.entries(EVENTS)) {
  const times = name.includes('list') ? 1000 : 5000;
  const first = await handler(structuredClone(event), CONTEXT);
  if (first.statusCode !== 200) throw new Error(`${name}: ${first.statusCode} ${first.body}`);
  for (let at = 0; at < times; at += 1) await handler(event, CONTEXT);
  const rounds = [];
  for (let round = 0; round < 5; round += 1) {
    const before = process.cpuUsage();
    for (let at = 0; at < times; at += 1) await handler(event, CONTEXT);
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / times);
  }
  result[name] = Math.min(...rounds);
}
console.log(JSON.stringify(result));
process.exit(0);
