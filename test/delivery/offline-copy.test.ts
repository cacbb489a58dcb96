import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { newService } from '../support/service/service.ts';

const { OfflineCopy } = await import(join(import.meta.dirname, '../../examples/offline-copy.mjs'));

/** The connection breaks before a request arrives, or before its response does. */
const breaking: typeof fetch = async (...request) => {
  if (Math.random() < 0.2) throw new Error('cut');
  const answer = await fetch(...request);
  if (Math.random() < 0.2) throw new Error('cut');
  return answer;
};

// Specification 17.3, 10.1, 3.1
test('examples/offline-copy.mjs converges after cuts, and loses no change of a property that no other client changed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'resource-api-copy-'));
  const service = await newService(['--empty']);
  const open = (name: string) => new OfflineCopy(service.url, join(folder, name), breaking);
  const paths: string[] = [];
  for (let at = 0; at < 6; at += 1) {
    const { headers } = await service.client('POST', '/customers', { json: { name: `c${at}`, note: '-' } });
    paths.push(String(headers.location));
  }
  /** Repeats until nothing waits and nothing is new. Each time, the program starts anew. */
  const synced = async (name: string) => {
    for (let turn = 0; turn < 500; turn += 1) {
      const copy = open(name);
      const isWhole = await copy.sync().then(
        () => true,
        () => false,
      );
      if (isWhole && copy.state.waiting.length === 0) return copy;
    }
    throw new Error('The copy does not converge');
  };
  try {
    for (let round = 0; round < 4; round += 1) {
      for (const name of ['a', 'b']) {
        const copy = await synced(name);
        for (const path of paths) copy.change(path, { [name]: round });
      }
      await service.client('PATCH', paths[round] ?? '', {
        headers: { 'Content-Type': 'application/merge-patch+json' },
        body: JSON.stringify({ note: `${round}` }),
      });
    }
    await service.client('DELETE', paths.pop() ?? '');
    for (const name of ['a', 'b', 'a']) await synced(name);
    const { items } = (await service.client('GET', '/customers?limit=1000')).json();
    const shown = items.map(({ links: _, ...item }) => item);
    expect(shown).toHaveLength(paths.length);
    for (const item of shown) expect(item).toMatchObject({ a: 3, b: 3 });
    // The last changes are in the log a little later.
    for (const name of ['a', 'b'])
      await eventually(async () => {
        const copy = await synced(name);
        expect(Object.values(copy.state.items)).toEqual(expect.arrayContaining(shown));
        expect(Object.keys(copy.state.items).sort()).toEqual([...paths].sort());
      });
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}, 90_000);
