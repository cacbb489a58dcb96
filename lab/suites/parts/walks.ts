import assert from 'node:assert/strict';
import { join } from 'node:path';
import { command } from '../../../test/support/service/command.ts';
import { pythonProgram } from '../../python.ts';
import type { Part } from '../part.ts';
import { pathOf } from '../tools.ts';

/** The whole request of the specification, step by step. Each walk must print `ok` for each step, in this order. */
const STEPS = [
  'a member from creation to deletion',
  'forms of a member',
  'a photo of a member and an image of a product',
  'PUT creates and replaces a file',
  'one file and several files in a form',
  'ranges of a file',
  'HEAD of a small and of a large file',
  'GET of a large file',
  'customers in bulk',
  'orders of a customer',
  'queries',
  'relations of an order',
  'the process of an order',
  'conditional requests',
  'XML',
  'errors',
  'an asynchronous request',
  'a sum',
];

const walk = (name: string): string => join(import.meta.dirname, '../walks', name);

/** A client, its program, and the arguments for the walk of a service. */
interface Walker {
  readonly client: string;
  readonly program: () => string;
  readonly args: (url: string) => string[];
}

const CLIENTS: readonly Walker[] = [
  ...['requests', 'httpx'].map((library) => ({
    client: library,
    program: () => pythonProgram(join(import.meta.dirname, '..'), 'python'),
    args: (url: string) => [walk('walk.py'), url, library],
  })),
  { client: 'net/http', program: () => pathOf('go'), args: (url) => ['run', walk('walk.go'), url] },
  { client: 'curl', program: () => 'bash', args: (url) => [walk('walk.sh'), url] },
];

/** Checks that clients in other languages walk the whole request, each with its defaults. */
export const part: Part = {
  about: 'the whole request by clients in other languages',
  needs: ['curl', 'go', 'python3'],
  run: async ({ service, check }) => {
    // Each walk expects these bytes.
    const large = Buffer.from('0123456789abcdef'.repeat(5 * 65_536));
    await service.storeLarge('large.bin', large, 'application/octet-stream');
    for (const { client, program, args } of CLIENTS) {
      const { log } = await command(program(), args(service.url), { cwd: service.folder });
      const lines = log.split('\n');
      for (const step of STEPS) {
        await check(`${client}: ${step}`, () => {
          const failure = lines.find((line) => line.startsWith(`not ok ${step}: `));
          if (failure !== undefined) assert.fail(failure);
          assert.ok(lines.includes(`ok ${step}`), `The walk did not reach this step:\n${log.slice(-2000)}`);
        });
      }
    }
  },
};
