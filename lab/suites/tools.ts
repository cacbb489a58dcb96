import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Required programs of the machine: their names, and the Debian package of each. */
const TOOLS = {
  aria2c: { commands: ['aria2c'], brings: 'aria2' },
  chromium: { commands: ['chromium', 'chromium-browser', 'google-chrome'], brings: 'chromium' },
  curl: { commands: ['curl'], brings: 'curl' },
  go: { commands: ['go'], brings: 'golang-go' },
  http: { commands: ['http'], brings: 'httpie' },
  java: { commands: ['java'], brings: 'default-jdk-headless' },
  mvn: { commands: ['mvn'], brings: 'maven' },
  python3: { commands: ['python3'], brings: 'python3-venv' },
  rclone: { commands: ['rclone'], brings: 'rclone' },
  varnishd: { commands: ['varnishd'], brings: 'varnish' },
  wget: { commands: ['wget'], brings: 'wget' },
} as const;

export type Tool = keyof typeof TOOLS;

/** The folders of programs. Daemons are in sbin, which PATH may lack. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** The path of a program; undefined if the machine lacks it. CHROMIUM_PATH gives another path of the browser. */
export function find(tool: Tool): string | undefined {
  if (tool === 'chromium' && process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const path = TOOLS[tool].commands
    .flatMap((command) => FOLDERS.map((folder) => join(folder, command)))
    .find(isExecutable);
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

/** The Debian package of a program. */
export const packageOf = (tool: Tool): string => TOOLS[tool].brings;

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
