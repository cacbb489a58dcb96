import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SERVICE } from '../../service/folders.ts';
import { Obstacle } from '../obstacle.ts';

/** The scripts of a service. Operators look for `npm start` and `npm test`. */
const SCRIPTS = { start: 'resource-api start', test: 'resource-api test', check: 'resource-api check' };

/** The beginning of the script that `npm init` writes. */
const PLACEHOLDER = 'echo "Error: no test specified"';

interface Manifest {
  name?: string;
  type?: string;
  scripts?: Record<string, string>;
}

const manifest = join(SERVICE, 'package.json');

/** Adds what package.json lacks. Node must read the files of the service as ES modules. */
function describe(): Manifest {
  if (!existsSync(manifest)) throw new Obstacle('There is no package.json: run npm init -y first.');
  const before = readFileSync(manifest, 'utf8');
  const described: Manifest = JSON.parse(before);
  const own = Object.entries(described.scripts ?? {}).filter(([, script]) => !script.startsWith(PLACEHOLDER));
  const after = { ...described, type: 'module', scripts: { ...SCRIPTS, ...Object.fromEntries(own) } };
  const text = `${JSON.stringify(after, undefined, 2)}\n`;
  console.log(text === before ? 'kept  package.json' : 'wrote package.json: type and scripts');
  if (text !== before) writeFileSync(manifest, text);
  return after;
}

/** The name of the stack. Source: AWS CloudFormation User Guide, "Stack name": letters, digits and `-`. */
const stackOf = (name: string): string =>
  name
    .replace(/^@[^/]*\//, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^[^A-Za-z]+/, '') || 'service';

/** Writes a file of the service unless it exists, and prints what happened. */
function write(path: string, text: string): void {
  const file = join(SERVICE, path);
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

/** `npx resource-api init` writes the files of a new service into the current folder. It replaces no file. */
const { name = basename(SERVICE) } = describe();
const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;
write(
  'tsconfig.json',
  json({ extends: 'resource-api/tsconfig.json', include: ['*.ts', 'functions', 'test'] }),
);
write('cdk.json', json({ app: 'node cdk.ts', versionReporting: false }));
write('cdk.ts', template('cdk.ts').replaceAll('NAME', stackOf(name)));
write('functions/widgets.ts', template('widgets.ts'));
write('test/widgets.test.ts', template('widgets.test.ts'));
write('.gitignore', 'node_modules/\n.data/\n.build/\ncdk.out/\n');
console.log('npm start serves the widgets. npx resource-api lists the other commands.');
