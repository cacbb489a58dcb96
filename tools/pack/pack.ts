import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SWAGGER_UI } from '../../openapi/site/files.ts';
import { PACKAGE } from '../../service/folders.ts';
import { compile } from './compile.ts';
import { dependenciesOf, type Manifest, optionalPeers, published } from './manifest.ts';

/** The folders of the packages that a service gets inside of `resource-api`, and that others can install alone. */
const WORKSPACES = ['client', 'create', 'engines'];

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
  'AGENTS.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'README.md',
  'docs/{client,cost,deploy,fields,glossary,operations,own-service,profile,resources,smoke,specification,start}.md',
  'docs/decisions/*.md',
  'ARCHITECTURE.md',
  'SECURITY.md',
  'examples/{,*/,*/*/}*.*',
  'functions/site/assets/*',
  'service/tsconfig.json',
];

/** The paths of tarballs. `service`: the one of the service, which contains the others. `all`: that one, too. */
interface Packed {
  readonly service: string;
  readonly all: readonly string[];
}

/**
 * Packs all packages of this repository into a folder: that of the service, and those of the workspaces. The first one
 * contains the others, so that it alone makes a service.
 * @throws UserError if the compiler finds an error
 */
export function pack(out: string, version?: string): Packed {
  const work = mkdtempSync(join(tmpdir(), 'package-'));
  mkdirSync(out, { recursive: true });
  try {
    const parts = WORKSPACES.map((folder) => {
      const described = manifestIn(folder, version);
      return { name: described.name, folder: packWorkspace(folder, described, join(work, folder)) };
    });
    const folder = packService(manifestIn('.', version), join(work, 'service'));
    for (const part of parts)
      cpSync(part.folder, join(folder, 'node_modules', part.name), { recursive: true });
    const service = tarball(folder, out);
    return { service, all: [...parts.map((part) => tarball(part.folder, out)), service] };
  } finally {
    rmSync(work, { recursive: true });
  }
}

function manifestIn(folder: string, version: string | undefined): Manifest {
  const described: Manifest = JSON.parse(readFileSync(join(PACKAGE, folder, 'package.json'), 'utf8'));
  return { ...described, version: version ?? described.version };
}

function packWorkspace(name: string, described: Manifest, folder: string): string {
  const root = join(PACKAGE, name);
  mkdirSync(folder);
  const entries = [...Object.values(described.exports), ...Object.values(described.bin ?? {})];
  // A front end installs the client, whose modules are short enough to read without their sources.
  compile(root, entries, folder, { sourceMap: name !== 'client' });
  for (const path of globSync(['README.md', 'template/*'], { cwd: root }))
    cpSync(join(root, path), join(folder, path));
  return completed(published(described), folder);
}

function packService(described: Manifest, folder: string): string {
  mkdirSync(folder);
  const named = [described.exports, described.imports, described.bin].flatMap((paths) =>
    Object.values(paths ?? {}),
  );
  compile(
    PACKAGE,
    [...named.filter((path) => path.endsWith('.ts')), ...globSync(BY_PATH, { cwd: PACKAGE })],
    folder,
    { sourceMap: true },
  );
  for (const path of globSync(ASSETS, { cwd: PACKAGE })) cpSync(join(PACKAGE, path), join(folder, path));
  for (const name of [...SWAGGER_UI, 'LICENSE', 'NOTICE'])
    cpSync(join(PACKAGE, 'node_modules/swagger-ui-dist', name), join(folder, 'swagger-ui', name));
  const dependencies = dependenciesOf(described, folder);
  const versions = WORKSPACES.map((one) => manifestIn(one, described.version));
  const own = Object.fromEntries(versions.map(({ name, version }) => [name, version]));
  return completed(
    {
      ...published(described),
      dependencies: { ...dependencies, ...own },
      ...optionalPeers(described),
      bundleDependencies: Object.keys(own),
    },
    folder,
  );
}

/** Adds package.json and the licence. Returns the folder. */
function completed(manifest: object, folder: string): string {
  cpSync(join(PACKAGE, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  return folder;
}

function tarball(folder: string, out: string): string {
  const shell = process.platform === 'win32';
  const args = ['pack', '--silent', '--pack-destination', out];
  return join(out, execFileSync('npm', args, { cwd: folder, shell, encoding: 'utf8' }).trim());
}
