import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * `npm run tool -- tour [URL]` runs the example client against a service, with the Node of npm. It is a program of its
 * own, because its types are generated only if needed.
 */
const client = join(import.meta.dirname, '../../examples/client/tour.ts');
process.exitCode =
  spawnSync(process.execPath, [client, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1;
