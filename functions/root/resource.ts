import { TITLE } from '#about';
import { PROBLEMS } from '../../shared/http/problem.ts';
import { integer, text } from '../../shared/resource/description/fields.ts';
import { type Resource, resource } from '../../shared/resource/resource.ts';
import { authenticated, open } from '../../shared/resource/route.ts';
import { document } from '../../shared/resource/styles/document.ts';
import { ADVICE } from './advice.ts';
import { home, type Paths, problemType, suggestions } from './documents.ts';
import { DEEP, health, PROBED } from './health.ts';

const HOME = { title: text('Title', { example: TITLE }) };
const HEALTH = { status: text('Status', { choices: ['pass'], example: 'pass' }) };
const PROBLEM_TYPE = {
  name: text('Name', { choices: Object.keys(PROBLEMS), example: 'not-found' }),
  title: text('Title', { example: PROBLEMS['not-found'].title }),
  status: integer('Status code', { maximum: 999, example: PROBLEMS['not-found'].status }),
  meaning: text('What it means', { example: ADVICE['not-found'].meaning }),
  remedy: text('What to do about it', { example: ADVICE['not-found'].remedy }),
};

/** The facts of all resources, which the first request that needs them loads. */
interface RootFacts {
  readonly registry: () => Promise<readonly Resource[]>;
  readonly paths: () => Promise<Paths>;
}

/** Returns the home document, the health, the problem types, and every path without a route. */
export const root = (facts: RootFacts): Resource =>
  resource({
    name: 'root',
    title: 'Home',
    about: 'The links to all collections, the health of the service, and explanations of its problems.',
    parameters: {
      type: text('Problem type', { choices: Object.keys(PROBLEMS), example: 'not-found' }),
      deep: text('Check of DynamoDB', { choices: DEEP, example: 'true', seldom: true }),
    },
    uses: [{ table: PROBED.resource, access: 'read' }],
    suggestions: async (path) => suggestions(path, await facts.paths()),
    shows: facts.registry,
    routes: () => [
      ...authenticated(
        document('/', {
          id: 'home',
          summary: 'Read the links to all collections',
          run: async () => home(await facts.paths()),
          fields: HOME,
        }),
      ),
      ...open(
        document('/health', {
          id: 'health',
          summary: 'Check whether the service works',
          run: health,
          parameters: ['deep'],
          fields: HEALTH,
        }),
      ),
      ...open(
        document('/problems/{type}', {
          id: 'problemType',
          summary: 'Read the explanation of a problem',
          run: problemType,
          fields: PROBLEM_TYPE,
        }),
      ),
    ],
  });
