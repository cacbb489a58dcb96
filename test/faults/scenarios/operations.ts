import { expect } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { handler as deadLetters } from '../../../functions/dead-letters/handler.ts';
import { accepted, changes, ended, expectOnce, LATER, made, named, type Scenario } from './scenario.ts';

/** Operations from their acceptance to their end. */
export const operations: readonly Scenario[] = [
  ...[false, true].map(
    (isKeyed): Scenario => [
      `a request is accepted${isKeyed ? ', with a key' : ''}`,
      async (stand, name) => {
        const sent = {
          json: { name },
          headers: { ...LATER, ...(isKeyed ? { 'Idempotency-Key': name } : {}) },
        };
        let location: string | undefined;
        return {
          act: async () => {
            location = (await stand.ask('POST', '/members', sent, 202))?.headers.location;
          },
          verify: async () => {
            if (location !== undefined) expect((await ended(stand, location)).status).toBe('Succeeded');
            expectOnce(location !== undefined, (await named(stand, 'members', name)).length);
            if (!isKeyed) return;
            const again = await stand.client('POST', '/members', sent);
            expect(again.status).toBe(202);
            await stand.settle();
            expect((await ended(stand, again.headers.location as string)).status).toBe('Succeeded');
            expect(await named(stand, 'members', name)).toHaveLength(1);
          },
        };
      },
    ],
  ),
  [
    'the work of a creation',
    async (stand, name) => {
      const operation = await accepted(stand, 'POST', '/members', { json: { name } });
      return {
        act: () => stand.work(),
        verify: async () => {
          expect((await ended(stand, operation)).status).toBe('Succeeded');
          expect(await named(stand, 'members', name)).toHaveLength(1);
        },
      };
    },
  ],
  [
    'the work of a replacement',
    async (stand, name) => {
      const path = await made(stand, '/members', { name });
      const operation = await accepted(stand, 'PUT', path, { json: { name: `${name} new` } });
      return {
        act: () => stand.work(),
        verify: async () => {
          expect((await ended(stand, operation)).status).toBe('Succeeded');
          expect(await changes(stand, path)).toBe(1);
        },
      };
    },
  ],
  [
    'the work of a removal',
    async (stand, name) => {
      const path = await made(stand, '/members', { name });
      const operation = await accepted(stand, 'DELETE', path);
      return {
        act: () => stand.work(),
        verify: async () => {
          expect((await ended(stand, operation)).status).toBe('Succeeded');
          expect(await changes(stand, path)).toBeUndefined();
        },
      };
    },
  ],
  [
    'the work of a payment',
    async (stand, name) => {
      const customer = await made(stand, '/customers', { name });
      const order = await made(stand, `${customer}/orders`, { productId: 1, orderValue: 1 });
      const operation = await accepted(stand, 'POST', `${order}/pay`);
      return {
        act: () => stand.work(),
        verify: async () => {
          expect((await ended(stand, operation)).status).toBe('Succeeded');
          expect(await changes(stand, order)).toBe(1);
          expect((await stand.client('POST', `${order}/cancel`)).status).toBe(200);
        },
      };
    },
  ],
  [
    'a cancellation of a waiting operation',
    async (stand, name) => {
      const operation = await accepted(stand, 'POST', '/members', { json: { name } });
      let isDone = false;
      return {
        act: async () => {
          isDone = (await stand.ask('DELETE', operation, {}, 204)) !== undefined;
        },
        verify: async () => {
          const { status } = await ended(stand, operation);
          if (isDone) expect(status).toBe('Canceled');
          expect(await named(stand, 'members', name)).toHaveLength(status === 'Canceled' ? 0 : 1);
        },
      };
    },
  ],
  [
    'a sweep',
    async (stand, name) => {
      const operation = await accepted(stand, 'POST', '/members', { json: { name } });
      // The worker gets no response from any engine. The message moves to the dead-letter queue after ten
      // receives.
      return {
        act: async () => {
          stand.pass();
          await stand.sweep();
        },
        verify: async () => {
          expect((await ended(stand, operation)).status).toBe('Succeeded');
          expect(await named(stand, 'members', name)).toHaveLength(1);
        },
      };
    },
  ],
  [
    'a dead letter',
    async (stand, name) => {
      const operation = await accepted(stand, 'POST', '/members', { json: { name } });
      const operationId = Number(operation.split('/').at(-1));
      const letter = { body: JSON.stringify({ operationId }), attributes: { ApproximateReceiveCount: '6' } };
      let isDone = false;
      return {
        act: async () => {
          const { batchItemFailures } = await deadLetters({ Records: [letter] } as unknown as SQSEvent);
          isDone = batchItemFailures.length === 0;
        },
        verify: async () => {
          const { status } = await ended(stand, operation);
          if (isDone) expect(status).toBe('Failed');
          expect(await named(stand, 'members', name)).toHaveLength(status === 'Failed' ? 0 : 1);
        },
      };
    },
  ],
];
