import { expect, test } from '@jest/globals';
import { action, array, boolean, integer, object, process, resource, text } from 'resource-api';
import { registry } from '../../../service/registry.ts';
import { typesOf } from '../../../tools/command/client-types.ts';

test('the types of a resource have its properties, what clients send, its transitions and its actions', () => {
  const tasks = resource('tasks', {
    about: 'Things to do.',
    fields: {
      name: text({ required: true }),
      size: integer({ server: true }),
      labels: array(text({ choices: ['urgent', 'late'] })),
      state: process({ open: { close: 'closed' }, closed: {} }),
    },
    actions: {
      remind: action({
        body: object({ text: text({ required: true }), isLoud: boolean() }),
        run: async ({ item }) => item,
      }),
      poke: action({ run: async ({ item }) => item }),
    },
  });
  expect(typesOf([tasks])).toBe(`/** Written by npx resource-api types. */
export interface Service {
  tasks: {
    properties: { id: number; name: string; size?: number; labels?: readonly ("urgent" | "late")[]; state: "open" | "closed" };
    sent: { name?: string | null; labels?: readonly ("urgent" | "late")[] | null };
    steps: "close";
    actions: { remind: { text: string; isLoud?: boolean }; poke: undefined };
  };
}
`);
});

test('each collection of the service that clients add to has types', () => {
  const names = [...typesOf(registry).matchAll(/^ {2}([a-z]+): \{$/gm)].map(([, name]) => name);
  expect(names).toEqual(['customers', 'files', 'members', 'orders', 'products', 'subscriptions']);
});
