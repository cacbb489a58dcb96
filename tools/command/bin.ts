#!/usr/bin/env node
/**
 * The command `resource-api` of a service. `init` runs on an older Node too: it adds a newer one to the packages of the
 * service, if there is one for this platform. Every other command needs a Node that reads TypeScript.
 */
import { nodeAdvice, writeService } from 'create-resource-api';

const { version, platform, arch } = process;
const advice = nodeAdvice(version, platform, arch);
if (advice === undefined) await import('./commands.ts');
else if (process.argv[2] === 'init') writeService(process.cwd());
else {
  console.error(`${advice}\nnpx resource-api init && npm install`);
  process.exitCode = 1;
}
