import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { command } from '../../../test/support/service/command.ts';
import { packageIn } from '../../../tools/packages.ts';
import type { Part } from '../part.ts';
import type { SuiteService } from '../service.ts';
import { pathOf, type Tool } from '../tools.ts';

const SUITES = join(import.meta.dirname, '..');
const ROOT = join(SUITES, '../..');
const DOCUMENT = join(ROOT, 'docs/openapi.json');
const GENERATOR = 'org.openapitools:openapi-generator-cli:7.14.0';

/** The languages of the generated clients, and the program that compiles each client. */
const CLIENTS: readonly (readonly [language: string, tool: Tool, args: readonly string[]])[] = [
  ['python', 'python3', ['-m', 'compileall', '-q', '.']],
  ['go', 'go', ['build', '-mod=mod', './...']],
  ['java', 'mvn', ['-q', '-B', '-DskipTests', 'compile']],
];

/** A generator of TypeScript: its arguments, and a program with its client that runs the first steps of the tour. */
interface Generator {
  readonly program: string;
  readonly args: readonly string[];
  readonly tour: string;
}

const GENERATORS: readonly Generator[] = [
  {
    program: 'openapi-ts',
    args: ['-i', DOCUMENT, '-o', 'api'],
    tour: `import { client } from './api/client.gen';
import { deleteCustomersById, patchCustomersById, postCustomers } from './api/sdk.gen';
client.setConfig({ baseUrl: process.argv[2] });
const created = await postCustomers({ body: { name: 'Generated' } });
const id = Number(created.response?.headers.get('location')?.split('/').at(-1));
const headers = { 'If-Match': created.response?.headers.get('etag') ?? '', 'Content-Type': 'application/merge-patch+json' };
const patch = () => patchCustomersById({ path: { id }, headers, body: { name: 'Changed' } as never });
const statuses = [created, await patch(), await patch(), await deleteCustomersById({ path: { id } })].map(({ response }) => response?.status);
console.log(statuses.join(' '));`,
  },
  {
    program: 'orval',
    args: ['--input', DOCUMENT, '--output', 'api/api.ts', '--client', 'fetch'],
    tour: `import { deleteCustomersById, patchCustomersById, postCustomers } from './api/api';
const direct = globalThis.fetch;
globalThis.fetch = (path, init) => direct(new URL(String(path), process.argv[2]), init);
const json = { 'Content-Type': 'application/json' };
const created = await postCustomers({ name: 'Generated' }, { headers: json });
const id = Number(created.headers.get('location')?.split('/').at(-1));
const headers = { 'If-Match': created.headers.get('etag') ?? '', 'Content-Type': 'application/merge-patch+json' };
const patch = () => patchCustomersById(id, { name: 'Changed' } as never, { headers });
console.log([created, await patch(), await patch(), await deleteCustomersById(id)].map(({ status }) => status).join(' '));`,
  },
];

/** The compiler options of a strict program for browsers and Node. */
const STRICT = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'bundler',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    skipLibCheck: true,
  },
  include: ['*.ts', 'api'],
};

/** Generates a client in TypeScript, compiles it with a program that uses it, and runs the program. */
async function tourOf({ program, args, tour }: Generator, { folder, url }: SuiteService): Promise<void> {
  const cwd = join(folder, program);
  await mkdir(cwd);
  await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify(STRICT));
  await writeFile(join(cwd, 'tour.ts'), tour);
  const run = async (file: string, given: readonly string[]): Promise<string> => {
    const { code, log } = await command(file, given, { cwd });
    assert.equal(code, 0, log.slice(-4000));
    return log;
  };
  await run(packageIn(SUITES, '.bin', program), args);
  await run(packageIn(SUITES, '.bin/tsc'), ['-p', '.']);
  const build = await rolldown({ input: join(cwd, 'tour.ts'), platform: 'node' });
  await build.write({ file: join(cwd, 'tour.mjs'), format: 'esm' });
  // The second change names a version that is gone.
  assert.equal((await run(process.execPath, ['tour.mjs', url])).trim(), '201 200 412 204');
}

/** Checks that generators make clients from the API description, that these compile, and that those in TypeScript work. */
export const part: Part = {
  about: 'clients generated from the API description',
  needs: ['java', 'mvn', 'go', 'python3'],
  run: async ({ service, check }) => {
    const { folder } = service;
    for (const one of GENERATORS)
      await check(`a client in TypeScript by ${one.program}`, () => tourOf(one, service));
    const copy = ['-q', '-B', 'dependency:copy', `-Dartifact=${GENERATOR}`, `-DoutputDirectory=${folder}`];
    const fetched = await command(pathOf('mvn'), copy, { cwd: folder });
    assert.equal(fetched.code, 0, fetched.log);
    const [, name, version] = GENERATOR.split(':');
    for (const [language, tool, args] of CLIENTS) {
      await check(`a client in ${language}`, async () => {
        const cwd = join(folder, language);
        // Without this property, the generator leaves out models of forms, although operations use them.
        const whole = ['--global-property', 'skipFormModel=false'];
        const generate = ['generate', '-i', DOCUMENT, '-g', language, '-o', cwd, ...whole];
        const jar = ['-jar', join(folder, `${name}-${version}.jar`)];
        const generated = await command(pathOf('java'), [...jar, ...generate]);
        assert.equal(generated.code, 0, generated.log.slice(-4000));
        const compiled = await command(pathOf(tool), args, { cwd });
        assert.equal(compiled.code, 0, compiled.log.slice(-4000));
      });
    }
  },
};
