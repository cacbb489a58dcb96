import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Required programs of the machine, and the Debian packages of each. */
const PACKAGES = {
  aria2c: 'aria2',
  chromium: 'chromium',
  curl: 'curl',
  go: 'golang-go',
  http: 'httpie',
  java: 'default-jdk-headless',
  jq: 'jq',
  mcs: 'mono-mcs libmono-system-net-http4.0-cil libmono-system-xml4.0-cil',
  mono: 'mono-runtime',
  mvn: 'maven',
  python3: 'python3-venv',
  rclone: 'rclone',
  varnishd: 'varnish',
  wget: 'wget',
} as const;

export type Tool = keyof typeof PACKAGES;

/** The folders of programs. Daemons are in sbin, which PATH may lack. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** The path of a program; undefined if the machine lacks it. CHROMIUM_PATH gives another path of the browser. */
export function find(tool: Tool): string | undefined {
  if (tool === 'chromium' && process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const names = tool === 'chromium' ? ['chromium', 'chromium-browser', 'google-chrome'] : [tool];
  const path = names.flatMap((name) => FOLDERS.map((folder) => join(folder, name))).find(existsSync);
  // Python of Debian lacks the modules that make virtual environments.
  if (tool === 'python3' && path && spawnSync(path, ['-c', 'import ensurepip, venv']).status !== 0)
    return undefined;
  return path;
}

/** The path of a program. @throws if the machine lacks it */
export function pathOf(tool: Tool): string {
  const path = find(tool);
  if (path === undefined) throw new Error(`${tool} is not installed`);
  return path;
}

/** The Debian packages of a program. */
export const packageOf = (tool: Tool): string => PACKAGES[tool];
