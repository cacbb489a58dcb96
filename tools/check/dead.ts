import { spawnSync } from 'node:child_process';
import { checkPackage } from './packages.ts';

/** Runs knip, which finds files, exports and packages that nothing uses (knip.json). */
const { status } = spawnSync(process.execPath, [checkPackage('knip/bin/knip.js')], { stdio: 'inherit' });
process.exitCode = status ?? 1;
