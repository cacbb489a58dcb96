import assert from 'node:assert/strict';
import { join } from 'node:path';
import { command } from '../../../test/support/service/command.ts';
import { installPython, pythonProgram } from '../../python.ts';
import type { Part } from '../part.ts';

const SUITES = join(import.meta.dirname, '..');
/** The Python clients need other versions of common packages than the other suites. */
const FOLDER = join(SUITES, 'agents');
const CONFORMANCE = join(SUITES, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const LIMIT_MS = 60_000;

/** The scenarios for a server that has tools alone, and no session. */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];

/** Why the others are left out. */
const LEFT_OUT = {
  'they call tools of a test server': [
    ...['simple-text', 'image', 'audio', 'embedded-resource', 'mixed-content', 'with-logging', 'error'],
    ...['with-progress', 'sampling', 'elicitation'],
  ].map((one) => `tools-call-${one}`),
  'they want a test tool that asks the person': ['elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
  'it wants a test tool with such a schema': ['json-schema-2020-12'],
  'they want streams, and the answers are JSON': ['server-sse-polling', 'server-sse-multiple-streams'],
  'they want what the server does not declare': [
    ...['logging-set-level', 'completion-complete'],
    ...['list', 'read-text', 'read-binary', 'templates-read', 'subscribe', 'unsubscribe'].map(
      (one) => `resources-${one}`,
    ),
    ...['list', 'get-simple', 'get-with-args', 'get-embedded-resource', 'get-with-image'].map(
      (one) => `prompts-${one}`,
    ),
  ],
};

interface Step {
  readonly step: string;
  readonly held: boolean;
}

/** Lets the suite of the protocol and two clients in Python use the tools for agents. */
export const part: Part = {
  about: 'agents: the conformance suite of the Model Context Protocol, and the clients mcp and fastmcp',
  needs: ['python3'],
  run: async ({ service, check }) => {
    const url = `${service.url}/mcp`;
    await check(
      'each scenario of @modelcontextprotocol/conformance is taken, or left out for a reason',
      async () => {
        const args = [CONFORMANCE, 'list', '--server'];
        const { log } = await command(process.execPath, args, { cwd: service.folder, limitMs: LIMIT_MS });
        const all = [...log.matchAll(/^ +- (\S+)/gm)].map(([, name]) => name);
        assert.deepEqual(all.sort(), [...SCENARIOS, ...Object.values(LEFT_OUT).flat()].sort());
      },
    );
    for (const scenario of SCENARIOS)
      await check(`the scenario ${scenario} of @modelcontextprotocol/conformance`, async () => {
        const args = [CONFORMANCE, 'server', '--url', url, '--scenario', scenario];
        const { code, log } = await command(process.execPath, args, {
          cwd: service.folder,
          limitMs: LIMIT_MS,
        });
        assert.equal(code, 0, log);
        assert.match(log, /Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/);
      });
    await installPython(FOLDER);
    for (const library of ['mcp', 'fastmcp']) {
      const args = [join(FOLDER, 'walk.py'), library, url];
      const { log } = await command(pythonProgram(FOLDER, 'python'), args, {
        cwd: service.folder,
        limitMs: LIMIT_MS,
      });
      const steps = stepsIn(log);
      await check(`${library} reaches the end`, () => assert.ok(steps.length >= 16, log));
      for (const { step, held } of steps) await check(`${library}: ${step}`, () => assert.ok(held));
    }
  },
};

/** Returns the steps in the last line of the output; none if it has another form. */
const stepsIn = (log: string): readonly Step[] => {
  const line = log.trimEnd().split('\n').at(-1) ?? '';
  return line.startsWith('[') ? JSON.parse(line) : [];
};
