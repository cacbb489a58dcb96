import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { NODE_PACKAGES, nodeAdvice, ownNode, runsServices } from './node.ts';

/** The scripts of a service. Operators look for `npm start` and `npm test`. */
const SCRIPTS = { start: 'resource-api start', test: 'resource-api test', check: 'resource-api check' };

/** The beginning of the script that `npm init` writes. */
const PLACEHOLDER = 'echo "Error: no test specified"';

interface Manifest {
  name?: string;
  type?: string;
  scripts?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** Adds what package.json lacks. Node must read the files of the service as ES modules. Returns the name. */
function describe(folder: string): string {
  const path = join(folder, 'package.json');
  const before = readFileSync(path, 'utf8');
  const described: Manifest = JSON.parse(before);
  const own = Object.entries(described.scripts ?? {}).filter(([, script]) => !script.startsWith(PLACEHOLDER));
  const optionalDependencies = { ...described.optionalDependencies, ...NODE_PACKAGES };
  const after: Manifest = {
    ...described,
    type: 'module',
    scripts: { ...SCRIPTS, ...Object.fromEntries(own) },
    ...(runsServices(ownNode()) ? {} : { optionalDependencies }),
  };
  const text = json(after);
  console.log(text === before ? 'kept  package.json' : 'wrote package.json: type and scripts');
  if (text !== before) writeFileSync(path, text);
  return described.name ?? basename(folder);
}

const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;

/** The name of the stack. Source: AWS CloudFormation User Guide, "Stack name": letters, digits and `-`. */
const stackOf = (name: string): string =>
  name
    .replace(/^@[^/]*\//, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^[^A-Za-z]+/, '') || 'service';

/** Where coding agents find the language. */
const AGENTS =
  '# For coding agents\n\nRead node_modules/resource-api/AGENTS.md first: it leads through the language of this service.\n';

/** Writes a file of the service unless it exists, and prints what happened. */
function write(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  const isNew = !existsSync(file);
  if (isNew) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  console.log(`${isNew ? 'wrote' : 'kept '} ${path}`);
}

/** The text of a file in `template`. */
const template = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'template', `${name}.txt`), 'utf8');

/**
 * Writes the files of a new service into a folder with a package.json. It replaces no file. If the machine's Node is too
 * old, package.json gets the packages of Node.
 */
export function writeService(folder: string): void {
  if (!existsSync(join(folder, 'package.json'))) {
    console.error('There is no package.json: run npm init -y first.');
    process.exitCode = 2;
    return;
  }
  const name = describe(folder);
  write(
    folder,
    'tsconfig.json',
    json({ extends: 'resource-api/tsconfig.json', include: ['*.ts', 'functions', 'test'] }),
  );
  write(folder, 'cdk.json', json({ app: 'node cdk.ts', versionReporting: false }));
  write(folder, 'cdk.ts', template('cdk.ts').replaceAll('NAME', stackOf(name)));
  write(folder, 'functions/widgets.ts', template('widgets.ts'));
  write(folder, 'test/widgets.test.ts', template('widgets.test.ts'));
  write(folder, 'AGENTS.md', AGENTS);
  write(folder, '.gitignore', 'node_modules/\n.env\n.data/\n.build/\ncdk.out/\n');
  const advice = nodeAdvice(ownNode(), process.platform, process.arch);
  if (advice !== undefined) console.log(advice);
  console.log('npm start serves the widgets. npx resource-api lists the other commands.');
}

/** The variables of `npm run` and `npm create` that describe another project. */
const OF_NPM = /^(?:npm_(?:package_|lifecycle_|command|config_local_prefix)|INIT_CWD)/i;

/**
 * Makes a service in a new folder: its package.json, its files and its packages. `source`: the version of resource-api,
 * or the path of its tarball from the folder on, as npm takes it.
 */
export function makeService(folder: string, source: string): void {
  mkdirSync(folder, { recursive: true });
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-');
  const manifest = { name, version: '0.0.0', private: true, dependencies: { 'resource-api': source } };
  writeFileSync(join(folder, 'package.json'), json(manifest));
  writeService(folder);
  const env = Object.fromEntries(Object.entries(process.env).filter(([variable]) => !OF_NPM.test(variable)));
  const shell = process.platform === 'win32';
  execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, env, stdio: 'inherit', shell });
}
