import { lazily } from '../../shared/on-demand.ts';
import { type Resource, resource } from '../../shared/resource/resource.ts';
import { authenticated } from '../../shared/resource/route.ts';
import type { McpFacts } from './described.ts';

/** Other functions contain this resource too, and never answer an agent. */
const door = lazily(() => import('./door.ts'), ['answerAgent']);

/** Returns the door for agents: the Model Context Protocol over HTTP. Source: Specification 23.1. */
export const mcp = (facts: McpFacts): Resource =>
  resource({
    name: 'mcp',
    title: 'Agents',
    about:
      'The Model Context Protocol, by which agents find and change items with the rights of their token.',
    routes: () =>
      authenticated([
        {
          path: '/mcp',
          endpoints: {
            POST: {
              id: 'mcp',
              summary: 'Call a tool of the Model Context Protocol',
              about: 'Takes and returns messages of JSON-RPC, as the Model Context Protocol has them.',
              takes: 'visit',
              run: async ({ visit }) => door.answerAgent(visit, await facts.described()),
              content: 'none',
            },
          },
        },
      ]),
  });
