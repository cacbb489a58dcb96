import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { CONTEXT } from '../../events.ts';

/**
 * Runs a bundle with the processor share of a control group: `node function.mjs BUNDLE PROCS`. The import has a whole
 * processor, as the init phase on Lambda. Each message names a file with an event and a number of calls. A call
 * includes the JSON of event and response, which Lambda's runtime client reads and writes.
 */
const [, , path, procs] = process.argv;
console.info = () => {};
const start = performance.now();
const { handler } = createRequire(import.meta.url)(path);
const imported = performance.now() - start;
writeFileSync(procs, String(process.pid));

const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;

process.on('message', async ({ event, calls }) => {
  const ms = [];
  let status;
  let bytes;
  const before = process.cpuUsage();
  for (let at = 0; at < calls; at += 1) {
    const begun = performance.now();
    const answer = await handler(JSON.parse(readFileSync(event, 'utf8')), CONTEXT);
    bytes = JSON.stringify(answer).length;
    ms.push(performance.now() - begun);
    status = answer.statusCode;
  }
  const { user, system } = process.cpuUsage(before);
  process.send({ ms, status, bytes, processorMs: (user + system) / 1000 / calls, peak: peak() });
});
process.send({ imported });
