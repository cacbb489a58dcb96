import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SWAGGER_UI } from '../../openapi/site/files.ts';
import { PACKAGE } from '../../service/folders.ts';
import { Obstacle } from '../obstacle.ts';
import { type Manifest, manifestOf } from './manifest.ts';

const USAGE = `npm run pack -- --out DIRECTORY [--version VERSION]
  DIRECTORY  gets the file resource-api-VERSION.tgz, which a service installs with npm install`;

/** The command of a service. */
const BIN = 'tools/command/bin.ts';

/** Modules that no import names: code finds them by their path. */
const BY_PATH = [
  'functions/files.ts',
  'functions/*/handler.ts',
  'functions/*/resource.ts',
  'infra/bundle/*.ts',
  'local/main.ts',
];

/** Files of other kinds. */
const ASSETS = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'README.md',
  'LICENSE',
  'docs/{client,cost,deploy,fields,glossary,operations,own-service,profile,resources,smoke,specification,start}.md',
  'docs/decisions/*.md',
  'ARCHITECTURE.md',
  'SECURITY.md',
  'examples/*',
  'functions/site/assets/*',
  'service/tsconfig.json',
  'tools/command/template/*',
];

/**
 * Compiles the modules that a service can reach, with types and source maps, and packs them.
 * @throws Obstacle if the compiler finds an error
 */
function pack(out: string, version: string | undefined): void {
  const described: Manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  try {
    const named = [...Object.values(described.exports), ...Object.values(described.imports)];
    const entries = [
      BIN,
      ...named.filter((path) => path.endsWith('.ts')),
      ...globSync(BY_PATH, { cwd: PACKAGE }),
    ];
    compile(entries, folder);
    for (const path of globSync(ASSETS, { cwd: PACKAGE })) cpSync(join(PACKAGE, path), join(folder, path));
    for (const name of [...SWAGGER_UI, 'LICENSE', 'NOTICE'])
      cpSync(join(PACKAGE, 'node_modules/swagger-ui-dist', name), join(folder, 'swagger-ui', name));
    const manifest = manifestOf({ ...described, version: version ?? described.version }, BIN, folder);
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
    mkdirSync(out, { recursive: true });
    const shell = process.platform === 'win32';
    const name = execFileSync('npm', ['pack', '--silent', '--pack-destination', out], {
      cwd: folder,
      shell,
      encoding: 'utf8',
    });
    console.log(join(out, name.trim()));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Compiles these modules and all that they import. */
function compile(entries: readonly string[], folder: string): void {
  const config = join(folder, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    rootDir: PACKAGE,
    outDir: folder,
    rewriteRelativeImportExtensions: true,
    declaration: true,
    sourceMap: true,
    inlineSources: true,
    types: ['node', 'aws-lambda'],
    typeRoots: [join(PACKAGE, 'node_modules/@types')],
  };
  const files = entries.map((path) => resolve(PACKAGE, path));
  writeFileSync(
    config,
    JSON.stringify({ extends: join(PACKAGE, 'tsconfig.json'), compilerOptions, files, include: [] }),
  );
  try {
    execFileSync(process.execPath, [join(PACKAGE, 'node_modules/typescript/bin/tsc'), '-p', config], {
      stdio: ['ignore', 2, 2],
    });
  } catch {
    throw new Obstacle('The package cannot be compiled: see the errors above.');
  }
  rmSync(config);
}

try {
  const { values } = parseArgs({ options: { out: { type: 'string' }, version: { type: 'string' } } });
  if (values.out === undefined) throw new Obstacle(USAGE);
  pack(resolve(values.out), values.version);
} catch (error) {
  if (!(error instanceof Obstacle)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
