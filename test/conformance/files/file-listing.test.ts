import { describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client/client.ts';
import { listed, put } from '../../support/client/files.ts';
import { get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

describe('the listing of files', () => {
  test('shows the effect of every PUT and DELETE', async () => {
    const name = unique('row');
    const path = `/files/${name}`;
    expect(await listed(name)).toBeUndefined();
    await put(path, '12345', { 'Content-Type': 'text/plain' });
    const row = await listed(name);
    expect(row).toMatchObject({
      filename: name,
      size: 5,
      contentType: 'text/plain',
      digest: expect.any(String),
    });
    await put(path, '123', { 'Content-Type': 'text/css' });
    expect(await listed(name)).toMatchObject({ size: 3, contentType: 'text/css', createdAt: row?.createdAt });
    await send('DELETE', path);
    expect(await listed(name)).toBeUndefined();
  });

  test('is sortable by size and by filename', async () => {
    const u = unique('sorted');
    for (const [name, size] of [
      ['b', 30],
      ['a', 4],
      ['c', 100],
    ] as const)
      await put(`/files/${u}${name}`, 'x'.repeat(size));
    const sorted = async (sort: string) => {
      const names: string[] = [];
      for (let at: string | undefined = `/files?limit=1000&sort=${sort}`; at !== undefined; ) {
        const body: Body = (await get(at)).json();
        names.push(...body.items.map(({ filename }) => filename).filter((name) => name.startsWith(u)));
        at = body.links.find(({ rel }) => rel === 'next')?.href;
      }
      return names.map((name) => name.slice(u.length)).join('');
    };
    expect(await sorted('size')).toBe('abc');
    expect(await sorted('-size')).toBe('cba');
    expect(await sorted('filename')).toBe('abc');
    expect(await sorted('-filename')).toBe('cba');
  });

  // Specification 5.3, 5.4
  test('has the row of the one whole file that concurrent PUTs leave', async () => {
    const name = unique('race');
    const path = `/files/${name}`;
    const bodies = Array.from({ length: 10 }, (_, at) => String(at).repeat(100 + at));
    const answers = await Promise.all(bodies.map((body) => put(path, body)));
    expect(answers.filter(({ status }) => ![200, 201, 409, 503].includes(status))).toEqual([]);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const got = await get(path);
    expect(bodies).toContain(got.text);
    expect(await listed(name)).toMatchObject({ size: got.bytes.length });
  });

  test('has a row exactly if the file exists, after concurrent PUTs and DELETEs', async () => {
    for (let round = 0; round < 5; round += 1) {
      const name = unique('race');
      const path = `/files/${name}`;
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, at) =>
          at % 2 === 0 ? put(path, 'b'.repeat(at + 1)) : send('DELETE', path),
        ),
      );
      for (const { status } of answers) expect([200, 201, 204, 404, 409, 412, 503]).toContain(status);
      const got = await get(path);
      const row = await listed(name);
      expect(row?.size).toBe(got.status === 200 ? got.bytes.length : undefined);
    }
  });
});
