import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { as, type Closed, closed } from '../support/service/closed.ts';
import { temporary } from '../support/service/service.ts';
import { unique } from '../support/service/under-test.ts';
import { describeUnless, missing } from '../support/skips/describe-unless.ts';

let service: Closed;
let token: string;
beforeAll(async () => {
  service = await closed();
  token = await service.issue('ada', 'files:read files:write');
}, 40_000);

const MIB = 1024 * 1024;
const SCRIPT = join(import.meta.dirname, '../../examples/upload.sh');

/** The example as a person runs it. */
describeUnless(missing('bash', 'curl', 'jq', 'openssl'), 'the example', () => {
  test.each([
    ['whole', 3 * MIB, 0],
    ['in parts', 66 * MIB + 7, 9],
  ])(
    'examples/upload.sh sends a file %s to a service that requires a token',
    async (_case, size, parts) => {
      const { directory, remove } = await temporary();
      try {
        const name = `${unique('sent')}.bin`;
        const bytes = randomBytes(size);
        const file = join(directory, name);
        await writeFile(file, bytes);
        // The file of an earlier start, which was interrupted before the first part.
        const json = { filename: name, size };
        await writeFile(
          `${file}.upload.json`,
          (await service.send('POST', '/files', { headers: as(token), json })).text,
        );
        const env = { ...process.env, TOKEN: token };
        const { stdout, stderr } = await promisify(execFile)('bash', [SCRIPT, file, service.url], { env });
        expect(stdout.trim()).toBe('Succeeded');
        expect(stderr).toBe(
          Array.from({ length: parts }, (_, at) => `Part ${at + 1} of ${parts}\n`).join(''),
        );
        const answer = await service.send('GET', `/files/${name}`, { headers: as(token) });
        const got =
          answer.status === 307
            ? Buffer.from(await (await fetch(answer.headers.location as string)).arrayBuffer())
            : answer.bytes;
        expect(got.equals(bytes)).toBe(true);
      } finally {
        await remove();
      }
    },
    60_000,
  );
});
