import { spawnSync } from 'node:child_process';
import { packageIn } from '../packages.ts';

/** Runs knip, which finds files, exports and packages that nothing uses (knip.json). */
const { status } = spawnSync(process.execPath, [packageIn(import.meta.dirname, 'knip/bin/knip.js')], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
