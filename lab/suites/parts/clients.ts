import assert from 'node:assert/strict';
import { join } from 'node:path';
import { command } from '../../../test/support/service/command.ts';
import type { Part } from '../part.ts';
import { pathOf, type Tool } from '../tools.ts';

const DOCUMENT = join(import.meta.dirname, '../../../docs/openapi.json');
const GENERATOR = 'org.openapitools:openapi-generator-cli:7.14.0';
const LIMIT_MS = 5 * 60_000;

/** The languages of the generated clients, and the program that compiles each client. */
const CLIENTS: readonly (readonly [language: string, tool: Tool, args: readonly string[]])[] = [
  ['python', 'python3', ['-m', 'compileall', '-q', '.']],
  ['go', 'go', ['build', '-mod=mod', './...']],
  ['java', 'mvn', ['-q', '-B', '-DskipTests', 'compile']],
];

/** Checks that openapi-generator generates clients from the API description, and that they compile. */
export const part: Part = {
  about: 'clients generated from the API description',
  needs: ['java', 'mvn', 'go', 'python3'],
  run: async ({ service: { folder }, check }) => {
    const copy = ['-q', '-B', 'dependency:copy', `-Dartifact=${GENERATOR}`, `-DoutputDirectory=${folder}`];
    const fetched = await command(pathOf('mvn'), copy, { cwd: folder, limitMs: LIMIT_MS });
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
        const compiled = await command(pathOf(tool), args, { cwd, limitMs: LIMIT_MS });
        assert.equal(compiled.code, 0, compiled.log.slice(-4000));
      });
    }
  },
};
