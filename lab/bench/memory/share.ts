import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A control group of Linux whose processes get the share of a processor that Lambda gives a function. Only root can
 * make one.
 *
 * Source: AWS Lambda Developer Guide, "Configure Lambda function memory": 1,769 MB is one vCPU. Linux, cgroups(7).
 */
const ONE_PROCESSOR_MB = 1769;
/** µs in which a group can spend its share. */
const PERIOD = 20_000;

const ROOT = '/sys/fs/cgroup';

/** Makes the group. A process joins by writing its id into the file `procs`. `remove` needs an empty group. */
export function shareOf(memoryMb: number): { readonly procs: string; remove(): void } {
  const quota = Math.min(PERIOD, Math.round((PERIOD * memoryMb) / ONE_PROCESSOR_MB));
  const isOld = existsSync(join(ROOT, 'cpu'));
  const folder = join(ROOT, isOld ? 'cpu' : '', `resource-api-bench-${process.pid}-${memoryMb}`);
  mkdirSync(folder);
  if (isOld) {
    writeFileSync(join(folder, 'cpu.cfs_period_us'), String(PERIOD));
    writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(quota));
  } else writeFileSync(join(folder, 'cpu.max'), `${quota} ${PERIOD}`);
  return { procs: join(folder, 'cgroup.procs'), remove: () => rmdirSync(folder) };
}
