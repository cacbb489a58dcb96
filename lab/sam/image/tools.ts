import { spawnSync } from 'node:child_process';

/** The programs that make an image, with the Debian package of each. */
const PROGRAMS: Readonly<Record<string, string>> = {
  debootstrap: 'debootstrap',
  docker: 'docker.io',
  tar: 'tar',
  xz: 'xz-utils',
  cmake: 'cmake',
  'g++': 'g++',
  make: 'make',
  python3: 'python3',
};

/** The missing requirements to make the image, each in a few words. */
export function lacking(): string[] {
  if (process.platform !== 'linux') return ['Linux is required'];
  const missing = Object.entries(PROGRAMS).filter(([program]) => !isThere(program));
  return [
    ...(process.getuid?.() === 0 ? [] : ['root is required']),
    ...(missing.length === 0
      ? []
      : [
          `${missing.map(([program]) => program).join(', ')} not found ` +
            `(apt-get install --no-install-recommends ${missing.map(([, name]) => name).join(' ')})`,
        ]),
    ...(isThere('docker') && spawnSync('docker', ['info']).status !== 0 ? ['no Docker engine responds'] : []),
  ];
}

const isThere = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v "$1"`, 'sh', program]).status === 0;
