import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { setTimeout as later } from 'node:timers/promises';
import { pythonProgram } from '../../python.ts';
import type { Part } from '../part.ts';

const FOLDER = new URL('..', import.meta.url).pathname;

/** The version, as an address, that memento-client finds at a time, in ms since the epoch. */
function foundAt(url: string, time: number): string | undefined {
  const text = new Date(time).toISOString().slice(0, 19).replace(/\D/g, '');
  const program = [`${FOLDER}memento.py`, url, text];
  const output = execFileSync(pythonProgram(FOLDER, 'python'), program, { encoding: 'utf8' });
  return JSON.parse(output).mementos?.closest.uri[0];
}

/** Negotiates by time for an item and for a file, with a client of RFC 7089. */
export const part: Part = {
  about: 'the client memento-client, which negotiates by time (RFC 7089)',
  needs: ['python3'],
  run: async ({ service, check }) => {
    const { client, url } = service;
    const item = await service.create('/products', { name: 'Mug from Memento' });
    const file = '/files/memento%20%C3%A4.txt';
    await client('PUT', file, { headers: { 'Content-Type': 'text/plain' }, body: 'one' });
    const begun = Date.now();
    // Times of HTTP have whole seconds.
    await later(1100);
    assert.equal((await client('PUT', item, { json: { name: 'Cup' } })).status, 200);
    await client('PUT', file, { headers: { 'Content-Type': 'text/plain' }, body: 'two' });
    const ofFile = (await client('GET', `${file}/versions`)).json().items.map(({ href }) => String(href));
    const versions = { [item]: [`${item}/versions/2`, `${item}/versions/1`], [file]: ofFile };
    for (const [path, [present = '', first = '']] of Object.entries(versions))
      await check(`memento-client finds the versions of ${path}`, async () => {
        assert.equal(foundAt(url + path, Date.now()), url + present);
        assert.equal(foundAt(url + path, begun), url + first);
        assert.equal(foundAt(url + path, begun - 60_000), undefined);
      });
  },
};
