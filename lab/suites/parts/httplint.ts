import assert from 'node:assert/strict';
import { join } from 'node:path';
import { command } from '../../../test/support/service/command.ts';
import { pythonProgram } from '../../python.ts';
import { EXCEPTIONS } from '../httplint/exceptions.ts';
import { type Sample, samples } from '../httplint/samples.ts';
import type { Part } from '../part.ts';
import type { SuiteService } from '../service.ts';
import { pathOf } from '../tools.ts';

/** Lets Python store compiled modules, because each response starts it again. */
const ENVIRONMENT = { ...process.env, PYTHONDONTWRITEBYTECODE: '' };

/** Checks every kind of response with httplint. */
export const part: Part = {
  about: 'header fields of every kind of response',
  needs: ['curl', 'python3'],
  run: async ({ service, check }) => {
    for (const sample of await samples(service)) {
      const { status, method, path, headers = {} } = sample;
      const accept = headers.Accept ? ` as ${headers.Accept}` : '';
      await check(`${status} ${method} ${path.slice(0, 60)}${accept}`, async () => {
        const answer = await raw(service, sample);
        assert.match(answer.subarray(0, 13).toString(), new RegExp(`^HTTP/1.1 ${status}`));
        const { log } = await command(pythonProgram(join(import.meta.dirname, '..'), 'httplint'), ['-n'], {
          input: answer,
          env: ENVIRONMENT,
        });
        assert.match(log, /\[(GOOD|INFO|WARN|BAD)\]/, log);
        const bad = [...log.matchAll(/\[BAD\] (.*)/g)].map(([, note = '']) => note);
        assert.deepEqual(
          bad.filter((note) => !EXCEPTIONS.some(({ note: known, of }) => of(sample) && known.test(note))),
          [],
        );
      });
    }
  },
};

/** The bytes of a response. For HEAD, it adds the body of GET, because httplint expects a body. */
async function raw(
  { url, client }: SuiteService,
  { method, path, headers = {}, body }: Sample,
): Promise<Buffer> {
  // An empty `Expect` prevents an interim response.
  const fields = Object.entries({ Expect: '', ...headers }).flatMap(([name, value]) => [
    '-H',
    `${name}: ${value}`,
  ]);
  const data = body === undefined ? [] : ['--data-binary', '@-'];
  const verb = method === 'HEAD' ? ['-I'] : ['-X', method];
  const args = ['-s', '-i', '--raw', ...verb, ...fields, ...data, url + path];
  const { stdout } = await command(pathOf('curl'), args, { input: Buffer.from(body ?? '') });
  if (method !== 'HEAD') return stdout;
  const { status, bytes } = await client('GET', path);
  // GET of the large file is a redirect. Its bytes are zeros.
  const length = Number(/^content-length: (\d+)/im.exec(stdout.toString('latin1'))?.[1] ?? 0);
  return Buffer.concat([stdout, status === 307 ? Buffer.alloc(length) : bytes]);
}
