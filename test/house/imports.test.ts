import { expect, test } from '@jest/globals';
import { FOR_ALL } from './background.ts';
import { below, isTest, moduleOf, ROOTS, type Source, sources } from './sources.ts';

/** The allowed imports of each folder of shared: other folders of shared, and packages. */
const LAYERS: Readonly<Record<string, { folders: readonly string[]; packages: readonly string[] }>> = {
  http: { folders: [], packages: ['node:util/types', 'structured-headers'] },
  json: { folders: [], packages: [] },
  resource: { folders: ['http', 'json'], packages: ['#about', 'node:crypto'] },
  representations: {
    folders: ['http', 'json', 'resource'],
    packages: [
      '#about',
      '#pages',
      '@fastify/busboy',
      'node:crypto',
      'csv-parse/sync',
      'file-type',
      'mime-types',
      'saxes',
    ],
  },
  flow: {
    folders: ['concurrency', 'http', 'json', 'resource', 'representations'],
    packages: ['#about', 'node:crypto', 'node:util', 'node:zlib'],
  },
  concurrency: { folders: [], packages: ['node:timers/promises'] },
  aws: {
    folders: ['http'],
    packages: ['@aws-sdk/', 'node:async_hooks', 'node:stream', 'node:stream/consumers', 'node:zlib'],
  },
  authorization: { folders: ['aws', 'http'], packages: ['jose', 'node:crypto'] },
  store: {
    folders: ['aws', 'concurrency', 'http', 'json', 'resource'],
    packages: ['@aws-sdk/client-dynamodb', 'node:crypto', 'node:zlib'],
  },
  files: {
    folders: ['aws', 'concurrency', 'http', 'json', 'operations', 'resource', 'store'],
    packages: ['@aws-sdk/', 'aws-lambda', 'node:crypto'],
  },
  operations: {
    folders: ['aws', 'concurrency', 'http', 'json', 'resource', 'store'],
    packages: ['@aws-sdk/', 'node:crypto'],
  },
  events: {
    folders: ['aws', 'concurrency', 'json', 'representations', 'resource', 'store'],
    packages: [
      '#about',
      '@aws-sdk/client-dynamodb',
      '@aws-sdk/client-eventbridge',
      'aws-lambda',
      'ipaddr.js',
      'node:crypto',
      'node:dns',
      'node:net',
    ],
  },
  lambda: {
    folders: ['aws', 'flow', 'http', 'resource'],
    packages: ['#about', '#browser', '@middy/core', 'aws-lambda', 'node:zlib'],
  },
};

/** The other top-level folders that each of them may import. */
const FLOORS: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  pages: ['shared'],
  api: ['shared', 'client'],
  client: ['test'],
  create: ['test'],
  functions: ['shared', 'service'],
  service: ['shared', 'api', 'functions'],
  openapi: ['shared', 'service'],
  infra: ['shared', 'api', 'functions', 'service', 'openapi'],
  engines: ['test'],
  local: ['shared', 'functions', 'service', 'openapi', 'infra', 'engines'],
  tools: ['shared', 'api', 'create', 'functions', 'service', 'openapi', 'infra', 'engines', 'local', 'test'],
};

/** What every layer may import: the helper that loads code with the first call. */
const EVERYWHERE = ['shared/on-demand.ts'];

const rootOf = (path: string): string => path.split('/')[0] as string;
const folderOf = (path: string): string => path.split('/')[1] as string;
const isOwn = (name: string): boolean => sources.some(({ path }) => path === name);

/** `path → import` for each import that breaks the rule. */
const refused = (modules: readonly Source[], allowed: (name: string, from: Source) => boolean): string[] =>
  modules.flatMap((from) =>
    from.imports.filter((name) => !allowed(name, from)).map((name) => `${from.path} → ${name}`),
  );

test('every import within the project leads to a module', () => {
  const known = refused(sources, (name) => !ROOTS.includes(rootOf(name)) || isOwn(name));
  expect(known).toEqual([]);
  expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(sources.length);
});

test('every folder of shared is a layer', () => {
  expect(
    below('shared')
      .filter(({ path }) => !EVERYWHERE.includes(path))
      .map(({ path }) => folderOf(path))
      .filter((name) => !(name in LAYERS)),
  ).toEqual([]);
});

test.each(Object.entries(LAYERS))('shared/%s imports only lower layers', (layer, { folders, packages }) => {
  const allowed = (name: string) =>
    name.startsWith('shared/')
      ? EVERYWHERE.includes(name) || [layer, ...folders].includes(folderOf(name))
      : !isOwn(name) && packages.some((one) => name === one || (one.endsWith('/') && name.startsWith(one)));
  expect(refused(below(`shared/${layer}`), allowed)).toEqual([]);
});

/** The storeys of two rooms: a folder or a file imports those of its own storey and of the lower ones. */
const STOREYS: Readonly<
  Record<string, { readonly storeys: readonly (readonly string[])[]; readonly most: number }>
> = {
  'shared/store': {
    storeys: [
      ['form/'],
      ['write/', 'idempotency/'],
      ['items/', 'constraints/', 'lists/', 'history/'],
      ['actions/', 'custom/'],
    ],
    most: 2,
  },
  'shared/resource': {
    storeys: [
      ['item.ts', 'link.ts', 'needs.ts', 'planned-times.ts', 'sent.ts', 'process.ts', 'store-refusal.ts'],
      ['description/', 'kinds/', 'binary.ts'],
      ['access/', 'actions/', 'lists/', 'relation.ts'],
      ['facts.ts', 'resource.ts', 'route.ts', 'custom-action.ts', 'list-template.ts', 'schedule.ts'],
      ['styles/'],
    ],
    most: 5,
  },
};

test.each(Object.entries(STOREYS))('few imports of %s climb', (room, { storeys, most }) => {
  const storeyOf = (path: string) =>
    storeys.findIndex((some) => some.some((one) => path.startsWith(`${room}/${one}`)));
  const modules = below(room);
  expect(modules.filter(({ path }) => storeyOf(path) < 0).map(({ path }) => path)).toEqual([]);
  const allowed = (name: string, { path }: Source) =>
    !name.startsWith(`${room}/`) || storeyOf(name) <= storeyOf(path);
  expect(refused(modules, allowed).slice(most)).toEqual([]);
});

test('the rooms of HTTP, JSON, resources and the flow contain no word of AWS', () => {
  const rooms = below('shared/http', 'shared/json', 'shared/resource', 'shared/flow');
  expect(rooms.length).toBeGreaterThan(100);
  const words = /\b(?:DynamoDB|S3|SQS|Lambda)\b/;
  expect(rooms.filter(({ text }) => words.test(text)).map(({ path }) => path)).toEqual([]);
});

test.each(Object.entries(FLOORS))('%s imports only lower folders', (floor, others) => {
  const allowed = (name: string) =>
    !ROOTS.includes(rootOf(name)) || [floor, ...others].includes(rootOf(name));
  expect(refused(below(floor), allowed)).toEqual([]);
});

/** Packages of this repository: what they may import apart from their own modules and those of Node. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  client: [],
  create: [],
  engines: ['saxes', '@aws-sdk/client-dynamodb', '@aws-sdk/client-eventbridge', '@aws-sdk/client-sqs'],
};

test.each(Object.entries(PACKAGES))('%s is a package with one door', (folder, packages) => {
  const inside = below(folder).filter((one) => !isTest(one));
  const allowed = (name: string) =>
    name.startsWith(`${folder}/`) || name.startsWith('node:') || packages.includes(name);
  expect(inside.length).toBeGreaterThan(1);
  expect(refused(inside, allowed)).toEqual([]);
  const outside = sources.filter((one) => !one.path.startsWith(`${folder}/`) && !isTest(one));
  expect(refused(outside, (name) => !name.startsWith(`${folder}/`) || name === `${folder}/index.ts`)).toEqual(
    [],
  );
});

test('tests of a package import it, support for tests and packages of others only', () => {
  const allowed = (name: string, { path }: Source) =>
    !isOwn(name) || name.startsWith(`${rootOf(path)}/`) || name.startsWith('test/support/');
  const tests = below(...Object.keys(PACKAGES)).filter(isTest);
  expect(tests.length).toBeGreaterThan(10);
  expect(refused(tests, allowed)).toEqual([]);
});

/** A definition of a resource: a file in `functions` itself. */
const isDefinition = ({ path }: Source): boolean => /^functions\/[^/]+\.ts$/.test(path);

test('a definition imports the package and other definitions only', () => {
  const allowed = (name: string) => name === 'resource-api' || /^functions\/[^/]+\.ts$/.test(name);
  const definitions = below('functions').filter(isDefinition);
  expect(definitions.length).toBeGreaterThan(4);
  expect(refused(definitions, allowed)).toEqual([]);
});

test('the definitions of five resources and a view have at most 250 lines', () => {
  const definitions = below('functions').filter(isDefinition);
  expect(definitions.flatMap(({ text }) => text.trimEnd().split('\n')).length).toBeLessThanOrEqual(250);
});

/** The facts of the service and of all resources, and the validators of what is sent to them. */
const WRITTEN = ['#about', '#service', '#validators'];
/** A module of a package or of Node. */
const isForeign = (name: string): boolean =>
  !name.startsWith('#') && !sources.some(({ path }) => rootOf(path) === rootOf(name));

test('a function imports its own folder, shared and packages; background functions also the registry', () => {
  const isBackground = ({ path }: Source) => FOR_ALL.includes(folderOf(path));
  const allowed = (name: string, from: Source) =>
    name.startsWith('shared/') ||
    isForeign(name) ||
    WRITTEN.includes(name) ||
    (name.startsWith('functions/') && folderOf(name) === folderOf(from.path)) ||
    (isBackground(from) &&
      ['service/files.ts', 'service/recounting.ts', 'service/registry.ts'].includes(name));
  expect(
    refused(
      below('functions').filter((one) => !isDefinition(one)),
      allowed,
    ),
  ).toEqual([]);
});

test('only the service, infrastructure, tests and background functions import the registry', () => {
  const importers = sources.filter(({ imports }) => imports.includes('service/registry.ts'));
  const others = importers.filter(
    ({ path }) => ['api', 'functions', 'shared'].includes(rootOf(path)) && !FOR_ALL.includes(folderOf(path)),
  );
  expect(others.map(({ path }) => path)).toEqual([]);
});

test('conformance tests use HTTP only', () => {
  const allowed = (name: string) =>
    /^(test\/(support|conformance)\/|node:|@jest\/globals$|fast-check$|standardwebhooks$)/.test(name);
  expect(refused(below('test/conformance', 'test/support'), allowed)).toEqual([]);
});

/** The circles of imports among these modules, each as a path. `import()` and names of package.json are imports too. */
function circlesOf(modules: readonly Source[], importsOf: (one: Source) => readonly string[]): string[] {
  const byPath = new Map(modules.map((one) => [one.path, importsOf(one).map(moduleOf)]));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    if (done.has(path) || trail.includes(path)) return;
    for (const name of byPath.get(path) ?? []) if (byPath.has(name)) visit(name, [...trail, path]);
    done.add(path);
  };
  for (const { path } of modules) visit(path, []);
  return circles;
}

test('finds a circle that import() or a name of package.json closes', () => {
  const module = (path: string, needs: readonly string[]) =>
    ({ path, text: '', code: '', imports: needs, needs }) satisfies Source;
  const modules = [module('service/catalog.ts', ['functions/a.ts']), module('functions/a.ts', ['#service'])];
  expect(circlesOf(modules, ({ needs }) => needs)).toEqual([
    'service/catalog.ts → functions/a.ts → service/catalog.ts',
  ]);
  const loading = sources.find(({ path }) => path === 'api/on-demand.ts');
  expect(loading?.needs).toContain('shared/operations/accepting/defer.ts');
});

/** A name that the rule leaves needs a reason: the bundler writes these modules, or shared may not know the pages. */
test('package.json names only the modules that the bundler writes, and the rooms of pages', () => {
  const named = sources.flatMap(({ imports }) => imports.filter((name) => name.startsWith('#')));
  expect([...new Set(named)].sort()).toEqual([
    '#about',
    '#browser',
    '#pages',
    '#related',
    '#service',
    '#validators',
  ]);
});

test('no module depends on itself through others', () => {
  expect(circlesOf(sources, ({ needs }) => needs)).toEqual([]);
});

test.each(Object.keys(FLOORS))(
  'no module of %s depends on itself through others, even by types alone',
  (floor) => {
    expect(circlesOf(below(floor), ({ imports }) => imports)).toEqual([]);
  },
);
