import { createRequire } from 'node:module';
import { CONTEXT } from '../../events.ts';
import { FORMATS } from './events.ts';

/** Measures one cold start in a new process: `node cold.mjs BUNDLE EVENT`. Prints JSON: ms of load and first call. */
const [, , path, name] = process.argv;
const require = createRequire(import.meta.url);
const start = process.hrtime.bigint();
const { handler } = require(path);
const loaded = process.hrtime.bigint();
const { statusCode, body } = await handler(FORMATS[name], CONTEXT);
const answered = process.hrtime.bigint();
if (statusCode !== 200 && statusCode !== 201) throw new Error(`${statusCode} ${body}`);
console.log(JSON.stringify({ load: Number(loaded - start) / 1e6, first: Number(answered - loaded) / 1e6 }));
process.exit(0);
