import { expect } from '@jest/globals';
import type { Body } from '../../support/client/client.ts';
import type { Harness } from '../harness.ts';
import { accepted, ended, LATER, type Scenario } from './scenario.ts';

/** The content of a file and its row in the listing agree. */
async function stored(stand: Harness, name: string): Promise<string | undefined> {
  const { status, text } = await stand.client('GET', `/files/${name}`);
  const { items } = (await stand.client('GET', '/files?sort=-createdAt&limit=50')).json();
  const row = items.find(({ filename }: Body) => filename === name);
  const found = status === 404 ? undefined : text;
  expect([name, row?.size]).toEqual([name, found?.length]);
  return found;
}

/**
 * A row follows its object at the next write, or at the start of the service. This repeats failed writes, as a
 * client does after 503.
 */
const written = async (stand: Harness, name: string, body: string) =>
  expect([200, 201]).toContain((await stand.client('PUT', `/files/${name}`, { body })).status);

export const files: readonly Scenario[] = [
  [
    'PUT of a file',
    async (stand, name) => {
      let isDone = false;
      return {
        act: async () => {
          isDone = (await stand.ask('PUT', `/files/${name}`, { body: 'text' }, 200, 201)) !== undefined;
        },
        verify: async () => {
          if (!isDone) await written(stand, name, 'text');
          expect(await stored(stand, name)).toBe('text');
        },
      };
    },
  ],
  [
    'PUT of a file that must be new',
    async (stand, name) => {
      const sent = { body: 'text', headers: { 'If-None-Match': '*' } };
      let isDone = false;
      return {
        act: async () => {
          isDone = (await stand.ask('PUT', `/files/${name}`, sent, 201)) !== undefined;
        },
        verify: async () => {
          if (!isDone) await written(stand, name, 'text');
          expect(await stored(stand, name)).toBe('text');
        },
      };
    },
  ],
  [
    'DELETE of a file',
    async (stand, name) => {
      await written(stand, name, 'text');
      let isDone = false;
      return {
        act: async () => {
          isDone = (await stand.ask('DELETE', `/files/${name}`, {}, 204)) !== undefined;
        },
        verify: async () => {
          if (!isDone) await stand.client('DELETE', `/files/${name}`);
          expect(await stored(stand, name)).toBeUndefined();
        },
      };
    },
  ],
  [
    'three files at once, with a key',
    async (stand, name) => {
      const json = [0, 1, 2].map((at) => ({ filename: `${name}-${at}`, content: 'AAA' }));
      const sent = { json, headers: { 'Idempotency-Key': name } };
      return {
        act: async () => {
          await stand.ask('POST', '/files', sent, 201);
        },
        verify: async () => {
          await stand.client('POST', '/files', sent);
          stand.pass();
          const again = await stand.client('POST', '/files', sent);
          // The service keeps the recorded answer. A mark that no run could remove expires.
          expect([201, 200]).toContain(again.status);
          for (const { filename } of json) expect(await stored(stand, filename)).toHaveLength(3);
        },
      };
    },
  ],
  ...(['PUT', 'DELETE'] as const).map(
    (method): Scenario => [
      `the work of ${method} of a file`,
      async (stand, name) => {
        await written(stand, name, 'before');
        const operation = await accepted(
          stand,
          method,
          `/files/${name}`,
          method === 'PUT' ? { body: 'after' } : {},
        );
        return {
          act: () => stand.work(),
          verify: async () => {
            const { status } = await ended(stand, operation);
            expect(status).toBe('Succeeded');
            expect(await stored(stand, name)).toBe(method === 'PUT' ? 'after' : undefined);
          },
        };
      },
    ],
  ),
  [
    'the work of PUT of a file that must be new',
    async (stand, name) => {
      const answer = await stand.client('PUT', `/files/${name}`, {
        body: 'text',
        headers: { ...LATER, 'If-None-Match': '*' },
      });
      return {
        act: () => stand.work(),
        verify: async () => {
          expect((await ended(stand, answer.headers.location as string)).status).toBe('Succeeded');
          expect(await stored(stand, name)).toBe('text');
        },
      };
    },
  ],
  ...(['PUT', 'DELETE'] as const).map(
    (method): Scenario => [
      `the work of ${method} of a file under a condition`,
      async (stand, name) => {
        const { headers } = await stand.client('PUT', `/files/${name}`, { body: 'before' });
        const answer = await stand.client(method, `/files/${name}`, {
          ...(method === 'PUT' ? { body: 'after' } : {}),
          headers: { ...LATER, 'If-Match': headers.etag },
        });
        return {
          act: () => stand.work(),
          verify: async () => {
            expect((await ended(stand, answer.headers.location as string)).status).toBe('Succeeded');
            expect(await stored(stand, name)).toBe(method === 'PUT' ? 'after' : undefined);
          },
        };
      },
    ],
  ),
  [
    'the work of three files at once',
    async (stand, name) => {
      const json = [0, 1, 2].map((at) => ({ filename: `${name}-${at}`, content: 'AAA' }));
      const operation = await accepted(stand, 'POST', '/files', { json });
      return {
        act: () => stand.work(),
        verify: async () => {
          expect((await ended(stand, operation)).status).toBe('Succeeded');
          for (const { filename } of json) expect(await stored(stand, filename)).toHaveLength(3);
        },
      };
    },
  ],
];
