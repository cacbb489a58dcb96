import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { pythonProgram } from '../../python.ts';
import type { Part } from '../part.ts';

const FOLDER = new URL('..', import.meta.url).pathname;
/** Structured fields that the responses of this part must have. */
const WANTED = [
  'cache-control',
  'content-digest',
  'idempotency-replayed',
  'link-template',
  'repr-digest',
  'vary',
];

/** Parses the structured fields of many responses with a parser of RFC 9651. */
export const part: Part = {
  about: 'the parser http-sf on each structured field (RFC 9651)',
  needs: ['python3'],
  run: async ({ service: { client, create, url }, check }) => {
    const item = await create('/members', { name: 'Ada' });
    const key = { 'Idempotency-Key': '"fields"' };
    const file = { 'Content-Type': 'text/plain', 'Want-Repr-Digest': 'sha-256=1' };
    const { paths } = (await client('GET', '/openapi.json')).json() as unknown as {
      paths: Record<string, object>;
    };
    const lists = Object.keys(paths).filter((path) => !/[{?]/.test(path));
    const answers = [
      await client('PUT', '/files/field.txt', { headers: file, body: 'one' }),
      await client('POST', '/members', { headers: key, json: { name: 'Once' } }),
      await client('POST', '/members', { headers: key, json: { name: 'Once' } }),
      await client('PATCH', item, { json: { name: 'Anne' }, headers: { Prefer: 'return=minimal' } }),
      await client('DELETE', item),
    ];
    const read = [...lists, '/files/field.txt', '/members?limit=1&sort=name'];
    for (const method of ['GET', 'OPTIONS'])
      for (const path of read) answers.push(await client(method, path));
    answers.push(await client('GET', '/files/field.txt', { headers: { Range: 'bytes=0-1', ...file } }));
    const preflight = { Origin: url, 'Access-Control-Request-Method': 'PUT' };
    answers.push(await client('OPTIONS', item, { headers: preflight }));
    const fields = answers.flatMap(({ headers }) => Object.entries(headers));
    const unique = [...new Set(fields.map((field) => JSON.stringify(field)))];
    const program = [`${FOLDER}fields.py`];
    const output = execFileSync(pythonProgram(FOLDER, 'python'), program, { input: unique.join('\n') });
    const lines = output.toString('utf8').trimEnd().split('\n');
    await check(`${unique.length} fields of ${answers.length} responses are well-formed`, () =>
      assert.deepEqual(
        lines.filter((line) => line.startsWith('malformed')),
        [],
      ),
    );
    for (const name of WANTED) await check(`${name} is among them`, () => assert.ok(lines.includes(name)));
  },
};
