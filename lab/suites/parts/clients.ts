import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../../test/support/service/command.ts';
import { withFixture } from '../../../test/support/service/with-fixture.ts';
import { installPython } from '../../python.ts';
import { GENERATORS, type Generator, type Place } from '../clients/generators.ts';
import type { Part } from '../part.ts';
import { startService } from '../service.ts';
import { pathOf } from '../tools.ts';

const CLIENTS = join(import.meta.dirname, '../clients');
const RELEASED = join(CLIENTS, '../../../docs/openapi.released.json');
const OPENAPI_GENERATOR = 'org.openapitools:openapi-generator-cli:7.25.0';

/** What each program does, in order. */
const STEPS = [
  'creates a customer',
  'creates an order of it',
  'pays the order',
  'changes the customer by a merge patch',
  'uploads an image',
  'downloads its first 100 bytes',
  'lists two pages',
  'gets 412 for an old entity tag',
  'waits for a long operation',
  'reads the faults of a refused body',
];

/** What each program for a service of the package does, in order. */
const STEPS_OF_PACKAGE = [
  'creates an item with every kind of field',
  'acts on an item by an action with a body',
  'stores and reads bytes',
  'filters and sorts a list by a computed field',
  'reads the faults of a refused body',
];

/** Downloads openapi-generator. Returns its path. */
async function openapiGenerator(folder: string): Promise<string> {
  const copy = ['dependency:copy', `-Dartifact=${OPENAPI_GENERATOR}`, `-DoutputDirectory=${folder}`];
  const { code, log } = await command(pathOf('mvn'), ['-q', '-B', ...copy], { cwd: folder });
  assert.equal(code, 0, log);
  const [, name, version] = OPENAPI_GENERATOR.split(':');
  return join(folder, `${name}-${version}.jar`);
}

/** Returns a new folder for a client of this description. */
async function placeIn(folder: string, name: string, document: string, jar: string): Promise<Place> {
  const cwd = join(folder, name);
  await mkdir(cwd);
  return {
    cwd,
    document,
    jar,
    run: async (program, args) => {
      const { code, log, stdout } = await command(program, args, { cwd, limitMs: 10 * 60_000 });
      assert.equal(code, 0, log.slice(-4000));
      return String(stdout);
    },
  };
}

/** Checks that a line of the program says that the step is done, or that it is known to be impossible. */
function judge({ impossible = {} }: Generator, number: number, line: string | undefined): void {
  const issue = impossible[number];
  if (issue === undefined) assert.equal(line, `${number} ok`);
  else assert.notEqual(line, `${number} ok`, `It works now, although ${issue} says that it cannot`);
}

/** The lines of a program that does all of these steps. */
const allOf = (steps: readonly string[]): string[] => steps.map((_, index) => `${index + 1} ok`);

/** Makes a client, adds the program, and compiles both. Returns the lines that the program prints. */
async function walked(generator: Generator, place: Place, program: string, url: string) {
  await generator.generate(place);
  await generator.addProgram(place, program);
  await generator.compile(place);
  return (await generator.walk(place, url)).trim().split('\n');
}

/** Checks that generators make clients from the description, that these compile, and that they do everyday steps. */
export const part: Part = {
  about: 'ten steps by clients that nine generators make from the API description',
  needs: ['java', 'mvn', 'go', 'python3'],
  run: async ({ service, check }) => {
    const { folder, url, client } = service;
    await installPython(CLIENTS);
    // More than one page.
    for (const name of ['Acme', 'Blue Door']) await service.create('/customers', { name });
    const jar = await openapiGenerator(folder);
    const document = join(folder, 'openapi.json');
    await writeFile(document, (await client('GET', '/openapi.json')).bytes);
    const ofPackage = await startService(['--empty'], withFixture('described'));
    const other = join(folder, 'package.json');
    await writeFile(other, (await ofPackage.client('GET', '/openapi.json')).bytes);
    try {
      for (const [at, generator] of GENERATORS.entries()) {
        const { name, programs } = generator;
        let lines: readonly string[] = [];
        await check(`${name}: a client, which compiles`, async () => {
          const place = await placeIn(folder, `client-${at}`, document, jar);
          lines = await walked(generator, place, programs.present, url);
        });
        for (const [index, what] of STEPS.entries())
          await check(`${name}: ${what}`, async () => judge(generator, index + 1, lines[index]));
        const { former, ofPackage: program } = programs;
        if (former !== undefined)
          await check(`${name}: a client of the former release, which does the ten steps`, async () => {
            const place = await placeIn(folder, `former-${at}`, RELEASED, jar);
            assert.deepEqual(await walked(generator, place, former, url), allOf(STEPS));
          });
        const does = program === undefined ? 'compiles' : `does ${STEPS_OF_PACKAGE.length} steps`;
        await check(`${name}: a client of a service of the package, which ${does}`, async () => {
          const place = await placeIn(folder, `other-${at}`, other, jar);
          if (program === undefined) {
            await generator.generate(place);
            await generator.compile(place);
            return;
          }
          assert.deepEqual(await walked(generator, place, program, ofPackage.url), allOf(STEPS_OF_PACKAGE));
        });
      }
    } finally {
      await ofPackage.stop();
    }
  },
};
