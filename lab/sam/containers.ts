import { spawnSync } from 'node:child_process';

/** A host name that only containers of this run have. It identifies them. */
export const MARK = `run-${process.pid}-${Date.now().toString(36)}.invalid`;

/** Removes the containers of this run. SAM removes its own when it ends, unless it is killed. */
export function removeContainers(): void {
  const docker = (...args: string[]) => spawnSync('docker', args, { encoding: 'utf8' }).stdout.trim();
  const ids = docker('ps', '--all', '--quiet', '--filter', 'label=sam.cli.container.type=lambda');
  for (const id of ids.split('\n').filter((line) => line !== '')) {
    const hosts = docker('inspect', '--format', '{{join .HostConfig.ExtraHosts " "}}', id);
    if (hosts.includes(MARK)) docker('rm', '--force', id);
  }
}
