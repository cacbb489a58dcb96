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

/**
 * The scenarios for a server that has tools alone, and no session. The others call test tools of their own, or want
 * resources, prompts, logs, completion or streams.
 */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];

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
      await check(`${library} reaches the end`, () => assert.ok(steps.length >= 12, log));
      for (const { step, held } of steps) await check(`${library}: ${step}`, () => assert.ok(held));
    }
  },
};

/** Returns the steps in the last line of the output; none if it has another form. */
const stepsIn = (log: string): readonly Step[] => {
  const line = log.trimEnd().split('\n').at(-1) ?? '';
  return line.startsWith('[') ? JSON.parse(line) : [];
};
