import { spawnSync } from 'node:child_process';

/** Removes the containers that call these engines. SAM removes its own when it ends, unless it is killed. */
export function removeContainers(engineUrl: string): void {
  const docker = (...args: string[]) => spawnSync('docker', args, { encoding: 'utf8' }).stdout.trim();
  const ids = docker('ps', '--all', '--quiet', '--filter', 'label=sam.cli.container.type=lambda');
  for (const id of ids.split('\n').filter((line) => line !== '')) {
    const environment = docker('inspect', '--format', '{{join .Config.Env "\\n"}}', id);
    if (environment.split('\n').includes(`AWS_ENDPOINT_URL_DYNAMODB=${engineUrl}`))
      docker('rm', '--force', id);
  }
}
