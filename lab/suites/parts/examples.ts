import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { pythonProgram } from '../../python.ts';
import type { Part } from '../part.ts';

const FOLDER = new URL('../../../examples/', import.meta.url).pathname;
const PYTHON = pythonProgram(new URL('..', import.meta.url).pathname, 'python');
/** The program of each example, and the name that it gives its customer. */
const EXAMPLES: Readonly<Record<string, readonly [program: readonly string[], name: string]>> = {
  'client.py': [[PYTHON, 'client.py'], 'Acme from Python'],
  'client.go': [['go', 'run', 'client.go'], 'Acme from Go'],
  'client.sh': [['sh', 'client.sh'], 'Acme from the shell'],
};

/** Runs the small clients of `examples`, and compares what they leave. */
export const part: Part = {
  about: 'the small clients in examples: Python with httpx, Go, and the shell',
  needs: ['curl', 'go', 'jq', 'python3'],
  run: async ({ service, check }) => {
    for (const [example, [[program = '', ...args], name]] of Object.entries(EXAMPLES))
      await check(example, async () => {
        const output = execFileSync(program, [...args, service.url], { cwd: FOLDER, encoding: 'utf8' });
        for (const line of [/^bytes hello$/m, /^payment Succeeded$/m, /^refused 412 .+: .+$/m])
          assert.match(output, line);
        const customer = /^customer (\S+)/m.exec(output)?.[1] ?? '';
        assert.equal((await service.client('GET', customer)).json().name, name);
        const { items } = (await service.client('GET', `${customer}/orders`)).json();
        assert.deepEqual(
          items.map(({ status }) => status),
          ['paid'],
        );
      });
  },
};
