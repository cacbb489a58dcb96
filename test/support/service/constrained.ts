import { expect } from '@jest/globals';
import type { Client } from '../client/client.ts';
import { withOpened } from './opened.ts';

/** A new item: its path, and its identifier. */
interface Made {
  readonly path: string;
  readonly id: number;
}

/** What the tests of a file need of the service with constraints. */
interface Constrained {
  readonly send: Client;
  /** Creates an item. */
  readonly made: (collection: string, json?: object) => Promise<Made>;
}

/**
 * Starts an open service with the resources of test/fixtures/constrained before the tests of a file, and ends it after
 * them.
 */
export function withConstraints(): Constrained {
  const send = withOpened('constrained');
  return {
    send,
    made: async (collection, json = { name: 'a' }) => {
      const answer = await send('POST', collection, { json });
      expect(answer.status).toBe(201);
      return { path: answer.headers.location as string, id: answer.json().id };
    },
  };
}
